import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The fields of the accounts' file that hold a credential, also in a file that is incomplete. */
const CREDENTIAL = /"(?:key|token|access|refresh)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** The credentials of the accounts of a home, so that no log shows them. */
export async function storedCredentials(home: string): Promise<readonly string[]> {
	const text = await readFile(join(home, "auth-profiles.json"), "utf8").catch(() => "");
	return [...text.matchAll(CREDENTIAL)].map(([, value = '""']) => unquoted(value)).filter((value) => !value.startsWith("env:"));
}

function unquoted(text: string): string {
	try {
		return String(JSON.parse(text));
	} catch {
		// Not JSON, so it is not a credential that anybody uses either.
		return text.slice(1, -1);
	}
}
