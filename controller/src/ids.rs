//! Typed identifiers: random, unguessable, never mixed up with one another.

use std::fmt;

use rand::distr::{Alphanumeric, SampleString};

/// Characters of randomness in an identifier: 24 base-62 digits are 142 bits.
const RANDOM_LENGTH: usize = 24;

/// Base-62 digits from a cryptographic generator.
pub(crate) fn random_base62(length: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), length)
}

macro_rules! id_type {
    ($(#[$doc:meta])* $visible:vis $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $visible struct $name(String);

        impl $name {
            /// A new identifier that nobody can guess.
            pub(crate) fn random() -> Self {
                Self(format!(concat!($prefix, "_{}"), random_base62(RANDOM_LENGTH)))
            }
        }

        id_conversions!($visible $name);
    };
}

macro_rules! id_conversions {
    ($visible:vis $name:ident) => {
        impl $name {
            /// The identifier as text.
            $visible fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

id_type!(
    /// An account.
    pub AccountId,
    "acc"
);
id_type!(
    /// An API key, as a row; not the secret.
    pub KeyId,
    "key"
);
id_type!(
    /// A row of the ledger.
    pub(crate) EntryId,
    "ent"
);
id_type!(
    /// A render job.
    pub(crate) JobId,
    "job"
);
id_type!(
    /// A composition that an account has saved.
    pub ProjectId,
    "prj"
);
id_type!(
    /// A composition that everybody may render.
    pub TemplateId,
    "tpl"
);
id_type!(
    /// A purchase or grant of credits.
    pub(crate) TransactionId,
    "txn"
);
id_type!(
    /// A payload that was resolved without rendering.
    pub(crate) PreviewId,
    "prv"
);
id_type!(
    /// A file that a client brings.
    pub(crate) UploadId,
    "upl"
);
id_type!(
    /// A large object that a node brings in parts.
    pub(crate) PartsId,
    "prt"
);
id_type!(
    /// A task of a render job.
    pub(crate) TaskId,
    "task"
);

id_type!(
    /// A registered receiver of webhooks.
    pub(crate) WebhookId,
    "wh"
);
id_type!(
    /// A webhook on its way to one receiver; the same at every attempt.
    pub(crate) DeliveryId,
    "dlv"
);

/// A node. Nodes name themselves when they connect.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(String);

id_conversions!(pub(crate) NodeId);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn what_stands_in_an_address_can_not_be_guessed() {
        for (prefix, make) in [
            ("job_", (|| JobId::random().to_string()) as fn() -> String),
            ("prv_", || PreviewId::random().to_string()),
            ("upl_", || UploadId::random().to_string()),
        ] {
            let made: HashSet<String> = (0..1000).map(|_| make()).collect();
            assert_eq!(made.len(), 1000);
            for id in &made {
                let random = id.strip_prefix(prefix).expect("the prefix");
                assert!(random.len() == 24 && random.bytes().all(|b| b.is_ascii_alphanumeric()));
            }
        }
    }
}
