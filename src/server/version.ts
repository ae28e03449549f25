// The version that clients, logs and --version show. A test holds it equal to package.json.
export const VERSION = '0.1.0';
