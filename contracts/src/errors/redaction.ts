import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const HIDDEN = "[redacted]";
/** The length below which a known secret is not looked for, because that would also redact ordinary words. */
const SHORTEST = 8;

interface Shape {
	/** The first group is kept; the second is the secret. Takes linear time, because length and form are left to `isSecret`. */
	readonly pattern: RegExp;
	isSecret(found: string): boolean;
}

const atLeast = (length: number) => (found: string) => found.length >= length;

const shapes: readonly Shape[] = [
	{ pattern: /(\b(?:bearer|basic)\s+)([\w.~+/=-]+)/gi, isSecret: atLeast(8) },
	// The password in a URL, as in postgres://user:password@host.
	{ pattern: /(:\/\/[^\s/?#@:"'<>]*:)([^\s/?#"'<>]+)(?=@)/g, isSecret: atLeast(1) },
	{
		pattern:
			/((?:(?:api|access|private)[ _-]?key|token|secret|passw(?:or)?d|passphrase|authorization)["']?\s*[:=]\s*["']?)([^\s"',;}\\]+)/gi,
		isSecret: atLeast(6),
	},
	// The form of the last word distinguishes "the password is required" from "the password is hunter22".
	{
		pattern: /((?:(?:api|access|private)[ _-]?key|token|secret|passw(?:or)?d|passphrase)\s+(?:is|was)\s+["'`]?)([^\s"'`,;}\\]+)/gi,
		isSecret: (found) => found.length >= 6 && /[\d!@#$%^&*]/.test(found),
	},
	{ pattern: /(\b)((?:sk|pk|rk)-[\w-]+)/g, isSecret: atLeast(19) },
	{ pattern: /(\b)(gh[pousr]_\w+)/g, isSecret: atLeast(24) },
	{ pattern: /(\b)(github_pat_\w+)/g, isSecret: atLeast(31) },
	{ pattern: /(\b)(xox[abeprs]-[\w-]+)/g, isSecret: atLeast(15) },
	{ pattern: /(\b)(AKIA[0-9A-Z]+)/g, isSecret: atLeast(20) },
	{ pattern: /(\b)(AIza[\w-]+)/g, isSecret: atLeast(39) },
	{ pattern: /(\b)(eyJ[\w.-]+)/g, isSecret: (found) => /^[^.]{13,}\.[^.]{10,}\./.test(found) },
	{ pattern: /(-----BEGIN [A-Z ]*PRIVATE KEY-----)([^-]+)/g, isSecret: atLeast(1) },
];

/** Matches the name of a field whose value is a secret. */
const secretField = /^(?:token|secret|password|passwd|api[_-]?key|authorization|cookie|set-cookie)$/i;

/** Hides known secrets, encoded or not, and everything that looks like a secret. Takes linear time. */
export class Redaction {
	readonly #secrets = new Set<string>();
	#known: readonly string[] = [];

	constructor(secrets: readonly string[]) {
		this.know(secrets);
	}

	/** From now on, hides these secrets too. Secrets are never dropped, because a secret that is no longer used is still a secret. */
	know(secrets: readonly string[]): void {
		const more = secrets.filter((secret) => secret.length >= SHORTEST && !this.#secrets.has(secret));
		if (more.length === 0) return;
		for (const secret of more) this.#secrets.add(secret);
		// Longest first, because one secret may contain another.
		this.#known = [...new Set([...this.#known, ...more.flatMap(encodedForms)])].sort((a, b) => b.length - a.length);
	}

	text(given: string): string {
		const without = this.#known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), given);
		return shapes.reduce((rest, { pattern, isSecret }) => rest.replace(pattern, hide(isSecret)), without);
	}

	/**
	 * Hides secrets in every text of a JSON value, including field names. If the name of a field says that it holds a secret, its text is
	 * hidden entirely.
	 */
	value(given: unknown): unknown {
		if (typeof given === "string") return this.text(given);
		if (Array.isArray(given)) return given.map((item) => this.value(item));
		if (typeof given !== "object" || given === null) return given;
		const entries = Object.entries(given).map(([name, inner]) => {
			const isHidden = secretField.test(name) && typeof inner === "string";
			return [this.text(name), isHidden ? HIDDEN : this.value(inner)];
		});
		return Object.fromEntries(entries);
	}
}

function hide(isSecret: Shape["isSecret"]): (whole: string, before: string, found: string) => string {
	return (whole, before, found) => (found !== HIDDEN && isSecret(found) ? `${before}${HIDDEN}` : whole);
}

/** A secret as plain text, in JSON, in a URL, in hex, and in base64 at every byte offset. */
function encodedForms(secret: string): string[] {
	const bytes = utf8ToBytes(secret);
	const hex = bytesToHex(bytes);
	const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset));
	const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
	return [secret, JSON.stringify(secret).slice(1, -1), encoded(secret), hex, hex.toUpperCase(), ...base64, ...urlSafe];
}

function encoded(secret: string): string {
	return encodeURIComponent(secret.toWellFormed());
}

/** The base64 characters that depend only on these bytes, when `offset` bytes (modulo three) precede them. */
function base64Core(bytes: Uint8Array, offset: number): string {
	const text = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes));
	const mixedAtStart = [0, 2, 3][offset] ?? 0;
	const padding = text.length - text.replaceAll("=", "").length;
	return text.slice(mixedAtStart, text.length - (padding === 0 ? 0 : padding + 1));
}

/** Names whose values are secrets. */
const SECRET_NAME = /key|token|secret|password|passwd|passphrase|credential|cookie/i;

/** The secrets in an environment: values whose name or form marks them as secret, and passwords inside URLs. */
export function environmentSecrets(environment: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(environment).flatMap(([name, value]) => {
		if (SECRET_NAME.test(name) || looksRandom(value)) return [value];
		const password = /:\/\/[^\s/?#@:]*:([^\s/?#]+)@/.exec(value)?.[1];
		return password === undefined ? [] : [password];
	});
}

const RANDOM_FROM = 20;
const BITS_PER_CHARACTER = 3.5;

/** A single word of hex, or of mixed-case letters and digits with too much entropy to be a name. */
function looksRandom(value: string): boolean {
	if (value.length < RANDOM_FROM || value.length > 512 || !/^[\w+=-]+$/.test(value)) return false;
	const isHex = value.length >= 32 && /^[0-9a-f]+$/i.test(value);
	const isMixed = /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
	return isHex || (isMixed && entropy(value) >= BITS_PER_CHARACTER);
}

/** Shannon entropy, in bits per character. */
function entropy(text: string): number {
	const counts = new Map<string, number>();
	for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
	return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
