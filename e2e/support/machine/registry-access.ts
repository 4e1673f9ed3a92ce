/** What this computer needs to reach the registry of npm. */
export function registryAccess(): Record<string, string> {
	const names = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_registry|https?_proxy|no_proxy)$/i;
	return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (names.test(name) && value ? [[name, value]] : [])));
}
