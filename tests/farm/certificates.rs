//! Certificates for one test, made by openssl as an operator makes them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An authority, and a certificate for 127.0.0.1 that it has signed.
pub(crate) struct Certificates {
    folder: PathBuf,
}

impl Certificates {
    /// Makes them in a new folder.
    pub(crate) fn make(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("folder");
        let extensions = "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n";
        std::fs::write(folder.join("role.ext"), extensions).expect("written");
        let key = [
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ];
        let authority = [
            "-x509", "-days", "2", "-subj", "/CN=farm", "-keyout", "ca.key", "-out", "ca.crt",
        ];
        openssl(folder, &[&["req"][..], &key, &authority].concat());
        let request = ["-subj", "/CN=role", "-keyout", "tls.key", "-out", "tls.csr"];
        openssl(folder, &[&["req"][..], &key, &request].concat());
        let signed = "x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile role.ext -out tls.crt";
        openssl(folder, &signed.split(' ').collect::<Vec<_>>());
        Self {
            folder: folder.to_owned(),
        }
    }

    /// What a role needs to know to use them.
    pub(crate) fn environment(&self) -> [(&'static str, String); 3] {
        [
            ("KINORA_TLS_CERT", "tls.crt"),
            ("KINORA_TLS_KEY", "tls.key"),
            ("KINORA_TLS_CA", "ca.crt"),
        ]
        .map(|(name, file)| (name, self.folder.join(file).display().to_string()))
    }
}

fn openssl(folder: &Path, arguments: &[&str]) {
    let made = Command::new("openssl")
        .current_dir(folder)
        .args(arguments)
        .output();
    let made = made.expect("openssl runs");
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "openssl {arguments:?}: {said}");
}
