const HIDDEN = "[redacted]";
/** A short value would redact ordinary words. */
const SHORTEST = 8;

/** What looks like a secret wherever it stands. Each is linear in the text. */
const shapes: readonly RegExp[] = [
	/(\b(?:bearer|basic)\s{1,3})[\w.~+/=-]{8,}/gi,
	/((?:api[_-]?key|access[_-]?key|token|secret|passwd|password|authorization)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;}\\]{6,}/gi,
	/()\b(?:sk|pk|rk)-[\w-]{16,}/g,
	/()\bgh[pousr]_\w{20,}/g,
	/()\bgithub_pat_\w{20,}/g,
	/()\bxox[abeprs]-[\w-]{10,}/g,
	/()\bAKIA[0-9A-Z]{16}\b/g,
	/()\bAIza[\w-]{35}/g,
	/()\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
	/(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[^-]{1,20000}/g,
];

/** A field whose name says that its value is a secret. */
const secretName = /^(?:token|secret|password|passwd|api[_-]?key|authorization|cookie|set-cookie)$/i;

/** Hides known secrets and what looks like one. */
export function redactText(text: string, secrets: readonly string[]): string {
	const known = secrets.filter((secret) => secret.length >= SHORTEST);
	const without = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
	return shapes.reduce((rest, shape) => rest.replace(shape, `$1${HIDDEN}`), without);
}

/** The same in every text of a JSON value, names of fields included. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
	if (typeof value === "string") return redactText(value, secrets);
	if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets));
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).map(([name, inner]) => {
		const hidden = secretName.test(name) && typeof inner === "string";
		return [redactText(name, secrets), hidden ? HIDDEN : redactValue(inner, secrets)];
	});
	return Object.fromEntries(entries);
}
