// What tests write is read by servers that refuse what others could change, and many people work with a umask of 002.
process.umask(0o022);
