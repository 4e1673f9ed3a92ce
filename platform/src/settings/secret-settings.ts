import { rmSync } from "node:fs";
import { join } from "node:path";
import { ifAbsent } from "../errors/system-error.ts";
import { SecretFile } from "../files/secret-file.ts";
import { settings } from "./setting-list.ts";

/** The file of a secret setting. */
export function secretFileOf(home: string, file: string): SecretFile {
	return new SecretFile(join(home, "bridge", file));
}

/**
 * The secrets that are stored in files of the home, by variable.
 * @throws SecretFileError if one of the files cannot be used
 */
export function readStoredSecrets(home: string): ReadonlyMap<string, string> {
	return new Map(
		settings.flatMap(({ name, secretFile }): [string, string][] => {
			if (secretFile === undefined) return [];
			const secret = secretFileOf(home, secretFile).read();
			return secret ? [[name, secret]] : [];
		}),
	);
}

/** Deletes the file of a secret setting. False if there is none. */
export function removeStoredSecret(home: string, file: string): boolean {
	try {
		rmSync(secretFileOf(home, file).path);
		return true;
	} catch (error) {
		ifAbsent(error);
		return false;
	}
}
