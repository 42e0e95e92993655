//! What operators do on the command line, directly on the database, beside a running server.

mod import;
mod webhooks;

use crate::{
    Error, Result,
    clock::Timestamp,
    credential,
    ids::{AccountId, KeyId},
    ledger::Credits,
    state::{Plan, TransactionType},
    store::{AccountRow, EntryKind, NewAccount, NewKeyRow, NewTransaction, Store, Tx},
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
    /// What was paid for them.
    pub payment: Payment,
    /// For signing in; an account can do without.
    pub password: Option<String>,
}

/// What somebody paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Hundredths of the currency.
    pub amount_in_cents: i64,
    /// Three letters; case does not matter.
    pub currency: String,
}

impl Payment {
    /// Nothing was paid.
    pub fn none() -> Self {
        Self {
            amount_in_cents: 0,
            currency: "usd".into(),
        }
    }
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

/// The schema of a database before and after it was brought up to date, by the number of its last
/// migration; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaChange {
    /// Its version before.
    pub from: i64,
    /// Its version now.
    pub to: i64,
}

impl Admin {
    /// Brings the schema of a database up to date, and closes it again.
    ///
    /// # Errors
    /// [`Error::Setup`] with a message that says what to do.
    pub async fn migrate(database_url: &str) -> Result<SchemaChange> {
        let (from, to) = Store::upgrade(database_url).await?;
        Ok(SchemaChange { from, to })
    }

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
        let payment = checked(&account.payment)?;
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
            let kind = match account.plan {
                Plan::None => TransactionType::CreditPurchase,
                Plan::Creator | Plan::Business => TransactionType::Subscription,
            };
            grant(&mut tx, &id, kind, credits, &payment, now).await?;
        }
        tx.commit().await?;
        Ok(id)
    }

    /// Adds whole credits to an account; answers the new balance, rounded down.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown address, [`Error::Invalid`] unless at least one is added.
    pub async fn credit_account(
        &self,
        email: &str,
        credits: i64,
        payment: &Payment,
    ) -> Result<i64> {
        let credits = amount(credits, 1)?;
        let payment = checked(payment)?;
        let account = self.account(email).await?;
        let mut tx = self.store.begin().await?;
        let kind = TransactionType::AdditionalCredits;
        grant(
            &mut tx,
            &account.id,
            kind,
            credits,
            &payment,
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

/// Gives credits: a row of the ledger and the transaction that it belongs to.
async fn grant(
    tx: &mut Tx,
    account: &AccountId,
    kind: TransactionType,
    credits: Credits,
    payment: &Payment,
    now: Timestamp,
) -> Result<()> {
    let entry = tx
        .insert_entry(account, EntryKind::Grant, credits, None, now)
        .await?;
    let transaction = NewTransaction {
        account,
        kind,
        credits: credits.rounded_down(),
        amount_in_cents: payment.amount_in_cents,
        currency: &payment.currency,
        entry: &entry,
    };
    tx.insert_transaction(&transaction, now).await
}

fn checked(payment: &Payment) -> Result<Payment> {
    let currency = payment.currency.to_ascii_lowercase();
    if currency.len() != 3 || !currency.bytes().all(|letter| letter.is_ascii_lowercase()) {
        let message = format!("{currency:?} is not a currency; use three letters like usd");
        return Err(Error::Invalid(message));
    }
    if payment.amount_in_cents < 0 {
        let message = format!("{} is not an amount of money", payment.amount_in_cents);
        return Err(Error::Invalid(message));
    }
    Ok(Payment {
        amount_in_cents: payment.amount_in_cents,
        currency,
    })
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
