//! Switching webhooks on again.

use super::Admin;
use crate::{Result, ids::WebhookId, webhooks::registration};

impl Admin {
    /// Switches a registration on again, with a clean record.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] for an unknown address or registration, [`crate::Error::Refused`] when the
    /// account has as many active ones as it may.
    pub async fn activate_webhook(&self, email: &str, id: &str) -> Result<()> {
        let account = self.account(email).await?;
        registration::activate(&self.store, &account.id, &WebhookId::from(id)).await
    }
}
