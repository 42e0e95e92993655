//! What operators do on the command line, directly on the database, beside a running server.

use crate::{
    Error, Result,
    clock::Timestamp,
    credential,
    ids::{AccountId, KeyId},
    ledger::Credits,
    state::Plan,
    store::{AccountRow, EntryKind, NewAccount, NewKeyRow, Store},
};

/// An open database, for administration.
#[derive(Clone, Debug)]
pub struct Admin {
    store: Store,
}

/// An account to create.
#[derive(Clone, Debug)]
pub struct CreateAccount {
    /// The address; case does not matter.
    pub email: String,
    /// What to call them.
    pub name: String,
    /// What they have subscribed to.
    pub plan: Plan,
    /// Whole credits to start with.
    pub credits: i64,
    /// For signing in; an account can do without.
    pub password: Option<String>,
}

/// A key that was just made. The key itself can't be had again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// The secret.
    pub key: String,
    /// Names the key when it is to be revoked.
    pub id: KeyId,
    /// The beginning of the key, kept to tell keys apart.
    pub prefix: String,
}

impl Admin {
    /// Opens the database and brings its schema up to date.
    ///
    /// # Errors
    /// [`Error::Setup`] with a message that says what to do.
    pub async fn connect(database_url: &str) -> Result<Self> {
        Ok(Self {
            store: Store::open(database_url).await?,
        })
    }

    /// Whether there is any account.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn has_accounts(&self) -> Result<bool> {
        self.store.has_accounts().await
    }

    /// Creates an account with its first credits.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an impossible address or amount, [`Error::Conflict`] for a taken one.
    pub async fn create_account(&self, account: CreateAccount) -> Result<AccountId> {
        let email = normalised(&account.email)?;
        let credits = amount(account.credits, 0)?;
        let password_hash = account
            .password
            .as_deref()
            .map(credential::hash_password)
            .transpose()?;
        let id = AccountId::random();
        let row = NewAccount {
            id: &id,
            email: &email,
            name: &account.name,
            plan: account.plan,
            password_hash: password_hash.as_deref(),
        };
        let now = Timestamp::now();
        let mut tx = self.store.begin().await?;
        if !tx.insert_account(&row, now).await? {
            return Err(Error::Conflict(format!(
                "there already is an account {email}"
            )));
        }
        if credits > Credits::from_hundredths(0) {
            tx.insert_entry(&id, EntryKind::Grant, credits, None, now)
                .await?;
        }
        tx.commit().await?;
        Ok(id)
    }

    /// Adds whole credits to an account; answers the new balance, rounded down.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown address, [`Error::Invalid`] unless at least one is added.
    pub async fn credit_account(&self, email: &str, credits: i64) -> Result<i64> {
        let credits = amount(credits, 1)?;
        let account = self.account(email).await?;
        let mut tx = self.store.begin().await?;
        tx.insert_entry(
            &account.id,
            EntryKind::Grant,
            credits,
            None,
            Timestamp::now(),
        )
        .await?;
        let balance = tx.balance(&account.id).await?;
        tx.commit().await?;
        Ok(balance.rounded_down())
    }

    /// Makes an API key for an account.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown address.
    pub async fn create_key(&self, email: &str) -> Result<NewKey> {
        let account = self.account(email).await?;
        let key = credential::new_key();
        let (id, prefix) = (KeyId::random(), credential::shown_prefix(&key));
        let hash = credential::hash(&key);
        let row = NewKeyRow {
            id: &id,
            account: &account.id,
            hash: &hash,
            prefix: &prefix,
        };
        let mut tx = self.store.begin().await?;
        tx.insert_key(&row, Timestamp::now()).await?;
        tx.commit().await?;
        Ok(NewKey { key, id, prefix })
    }

    /// Revokes a key of an account, named by its id or by itself.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the account has no such key in force.
    pub async fn revoke_key(&self, email: &str, key_or_id: &str) -> Result<()> {
        let account = self.account(email).await?;
        let hash = credential::hash(key_or_id);
        let mut tx = self.store.begin().await?;
        if !tx
            .revoke_key(&account.id, key_or_id, &hash, Timestamp::now())
            .await?
        {
            return Err(Error::NotFound(format!(
                "{} has no such key in force",
                account.email
            )));
        }
        tx.commit().await
    }

    /// Closes the database.
    pub async fn close(&self) {
        self.store.close().await;
    }

    async fn account(&self, email: &str) -> Result<AccountRow> {
        let email = normalised(email)?;
        let found = self.store.account_by_email(&email).await?;
        found.ok_or_else(|| Error::NotFound(format!("there is no account {email}")))
    }
}

fn normalised(email: &str) -> Result<String> {
    let email = email.trim().to_lowercase();
    let parts = email.split_once('@');
    let plausible = parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty());
    if plausible && !email.contains(char::is_whitespace) {
        Ok(email)
    } else {
        Err(Error::Invalid(format!(
            "{email:?} is not an e-mail address"
        )))
    }
}

fn amount(credits: i64, least: i64) -> Result<Credits> {
    Credits::from_whole(credits)
        .filter(|_| credits >= least)
        .ok_or_else(|| Error::Invalid(format!("{credits} is not an amount of credits")))
}
