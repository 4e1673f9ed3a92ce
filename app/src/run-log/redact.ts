import type { Redaction } from "@xworkmate/contracts";

const HIDDEN = "[redacted]";

/** Matches the name of a field whose value is a secret. */
const secretName = /^(?:token|secret|password|passwd|api[_-]?key|authorization|cookie|set-cookie)$/i;

/** Hides secrets in every text of a JSON value, including field names. */
export function redactValue(value: unknown, redaction: Redaction): unknown {
	if (typeof value === "string") return redaction.text(value);
	if (Array.isArray(value)) return value.map((item) => redactValue(item, redaction));
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).map(([name, inner]) => {
		const hidden = secretName.test(name) && typeof inner === "string";
		return [redaction.text(name), hidden ? HIDDEN : redactValue(inner, redaction)];
	});
	return Object.fromEntries(entries);
}
