//! Device memory that an encoder knows: registered once, mapped while a picture in it is encoded.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cuda::ImportedMemory;
use crate::error::Error;
use crate::session::{Handle, Session};
use crate::settings::Settings;

struct Known {
    registered: Handle,
    /// The mapping, and how many pictures under way use it.
    mapped: Option<(Handle, usize)>,
    // The memory stays while the encoder knows it.
    _memory: Arc<ImportedMemory>,
}

/// The memory that a session knows, by its address.
#[derive(Default)]
pub(crate) struct Registry(HashMap<u64, Known>);

impl Registry {
    /// Maps memory for a picture, registering it when it is seen for the first time.
    pub(crate) fn map(
        &mut self,
        session: &Session,
        memory: &Arc<ImportedMemory>,
        pitch: u32,
        settings: &Settings,
    ) -> Result<Handle, Error> {
        let known = match self.0.entry(memory.pointer()) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => place.insert(Known {
                registered: session.register(memory.pointer(), pitch, settings)?,
                mapped: None,
                _memory: Arc::clone(memory),
            }),
        };
        let (mapped, uses) = match known.mapped {
            Some((mapped, uses)) => (mapped, uses + 1),
            None => (session.map(known.registered)?, 1),
        };
        known.mapped = Some((mapped, uses));
        Ok(mapped)
    }

    /// A picture in this memory is encoded.
    pub(crate) fn unmap(&mut self, session: &Session, pointer: u64) -> Result<(), Error> {
        let Some(known) = self.0.get_mut(&pointer) else {
            return Ok(());
        };
        match known.mapped.take() {
            Some((mapped, 1)) => session.unmap(mapped),
            Some((mapped, uses)) => {
                known.mapped = Some((mapped, uses - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Lets go of everything, at the end of the session.
    pub(crate) fn clear(&mut self, session: &Session) {
        for known in self.0.values() {
            if let Some((mapped, _)) = known.mapped {
                let _ = session.unmap(mapped);
            }
            let _ = session.unregister(known.registered);
        }
        self.0.clear();
    }
}
