//! What the roles of a farm show each other: a token, certificates, or on loopback nothing.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kinora_proto::access::{ClientAccess, ServerAccess, Tls, Tokens};

const VARIABLE: &str = "KINORA_FARM_TOKEN";

/// Who may speak gRPC.
#[derive(clap::Args)]
pub(crate) struct FarmArgs {
    /// File with the farm's token, the same on every role; a controller takes several, gateways and
    /// nodes send the first. KINORA_FARM_TOKEN can hold the token itself
    #[arg(long, env = "KINORA_FARM_TOKEN_FILE", value_name = "FILE")]
    farm_token_file: Option<PathBuf>,
    /// This role's certificate, in PEM; with it, controllers and their callers speak TLS only
    #[arg(long, env = "KINORA_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// The key of that certificate, in PEM
    #[arg(long, env = "KINORA_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// The authority that has signed the certificates of all roles, in PEM
    #[arg(long, env = "KINORA_TLS_CA", value_name = "FILE")]
    tls_ca: Option<PathBuf>,
}

impl FarmArgs {
    /// What a controller asks of its callers.
    pub(crate) fn server(&self) -> anyhow::Result<ServerAccess> {
        Ok(ServerAccess {
            tokens: self.tokens()?,
            tls: self.tls()?,
        })
    }

    /// What a gateway or a node shows a controller.
    pub(crate) fn client(&self) -> anyhow::Result<ClientAccess> {
        Ok(ClientAccess {
            tokens: self.tokens()?,
            tls: self.tls()?,
        })
    }

    fn tokens(&self) -> anyhow::Result<Option<Tokens>> {
        if let Some(file) = &self.farm_token_file {
            return Ok(Some(Tokens::in_file(file)?));
        }
        match std::env::var(VARIABLE) {
            Ok(text) if !text.trim().is_empty() => {
                Ok(Some(Tokens::from_text(&text).context(VARIABLE)?))
            }
            _ => Ok(None),
        }
    }

    fn tls(&self) -> anyhow::Result<Option<Tls>> {
        match (&self.tls_cert, &self.tls_key, &self.tls_ca) {
            (None, None, None) => Ok(None),
            (Some(certificate), Some(key), Some(authority)) => Ok(Some(Tls::new(
                read(certificate)?,
                read(key)?,
                read(authority)?,
            ))),
            _ => bail!(
                "certificates need all three of KINORA_TLS_CERT, KINORA_TLS_KEY and KINORA_TLS_CA"
            ),
        }
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).with_context(|| format!("can't read the PEM file {}", file.display()))
}
