import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { secretFileOf, settings } from "@xworkmate/platform/settings";

/** Finds credentials in the accounts' file by their fields, even if the file is incomplete. */
const CREDENTIAL = /"(?:key|token|access|refresh)"\s*:\s*("(?:[^"\\]|\\.)*")/g;
/** Finds every text in a file that contains nothing but secrets, even if the file is incomplete. */
const TEXT = /:\s*("(?:[^"\\]|\\.)*")/g;

/**
 * The secrets in files of this home, so that they can be redacted in logs: the tokens of the app and the bridge, the secret settings, the
 * credentials of the accounts, the secrets of the channels and the variables of the agents. The bridge refuses a file that is damaged or
 * that other users can read, but a log may contain its secrets, so it is read here. A file that can't be read is skipped.
 */
export async function storedCredentials(home: string): Promise<readonly string[]> {
	const ofSettings = settings.flatMap(({ secretFile }) => (secretFile === undefined ? [] : [secretFileOf(home, secretFile).path]));
	const whole = [join(home, "bridge", "token"), join(home, "app", "token"), ...ofSettings];
	const [wholes, accounts, channels, agents] = await Promise.all([
		Promise.all(whole.map(textOf)),
		textOf(join(home, "auth-profiles.json")),
		textOf(join(home, "bridge", "channel-secrets.json")),
		// Not every variable of an agent is a secret, but the bridge redacts all of them too.
		textOf(join(home, "agent-secrets.json")),
	]);
	return [
		...wholes.map((text) => text.trim()),
		...valuesIn(accounts, CREDENTIAL).filter((value) => !value.startsWith("env:")),
		...valuesIn(channels, TEXT),
		...valuesIn(agents, TEXT),
	];
}

function textOf(file: string): Promise<string> {
	return readFile(file, "utf8").catch(() => "");
}

function valuesIn(text: string, pattern: RegExp): readonly string[] {
	return [...text.matchAll(pattern)].map(([, value = '""']) => unquoted(value));
}

function unquoted(text: string): string {
	try {
		return String(JSON.parse(text));
	} catch {
		// The text is not a valid JSON string, so only its quotes are removed.
		return text.slice(1, -1);
	}
}
