import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Finds credentials in the accounts' file by their fields, even if the file is incomplete. */
const CREDENTIAL = /"(?:key|token|access|refresh)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** The credentials of a home's accounts, so that they can be redacted in logs. */
export async function storedCredentials(home: string): Promise<readonly string[]> {
	const text = await readFile(join(home, "auth-profiles.json"), "utf8").catch(() => "");
	return [...text.matchAll(CREDENTIAL)].map(([, value = '""']) => unquoted(value)).filter((value) => !value.startsWith("env:"));
}

function unquoted(text: string): string {
	try {
		return String(JSON.parse(text));
	} catch {
		// The text is not a valid JSON string, so only its quotes are removed.
		return text.slice(1, -1);
	}
}
