import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { SecretFile, SecretFileError } from "@xworkmate/platform/files";
import { AppError } from "../../errors/app-error.ts";

/** The file with the local API's token, readable only by the home's owner. */
function appTokenFile(home: string): SecretFile {
	return new SecretFile(join(home, "app", "token"));
}

/** Creates a new token for each start, so that a leaked one is useless once the process has ended. */
export function createAppToken(home: string): string {
	const token = randomBytes(32).toString("base64url");
	appTokenFile(home).replace(token);
	return token;
}

/**
 * Undefined if no app has been started in this home.
 * @throws AppError APP_TOKEN_EXPOSED
 */
export function readAppToken(home: string): string | undefined {
	try {
		return appTokenFile(home).read();
	} catch (error) {
		if (!(error instanceof SecretFileError)) throw error;
		throw new AppError("APP_TOKEN_EXPOSED", error.message, "Stop XWorkmate and start it again, which creates a new token.", error);
	}
}
