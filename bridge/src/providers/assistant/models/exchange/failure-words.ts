import { Redaction, visibleWithin } from "@xworkmate/contracts";

const MOST_WORDS = 500;
const MOST_READ = 16_384;

/** What a server says about an error (bounded text or JSON), on one line and without the secret. Empty if it says nothing. */
export function serverWords(said: unknown, secret: string): string {
	const found = typeof said === "string" ? messageIn(parsed(said)) || said : messageIn(said);
	const redacted = new Redaction([secret]).text(found.slice(0, MOST_READ).replace(/\s+/g, " ").trim());
	return visibleWithin(short(redacted, secret), MOST_WORDS);
}

/** Hides the secret, even one that is too short for redaction, such as a local server's password. */
function short(text: string, secret: string): string {
	return secret === "" ? text : text.replaceAll(secret, "[redacted]");
}

/** Finds the message in the places where servers put it. */
function messageIn(said: unknown): string {
	if (typeof said === "string") return said;
	if (typeof said !== "object" || said === null) return "";
	const fields = new Map(Object.entries(said));
	for (const name of ["error", "message", "detail"]) {
		const found = messageIn(fields.get(name));
		if (found !== "") return found;
	}
	return "";
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
