import { AuthProfileId, ModelProvider } from "@xworkmate/contracts";
import { z } from "zod";

/** The last millisecond of the year 9999: a later time does not fit into a timestamp. */
const LATEST = 253_402_300_799_999;
/** A value that names a variable of the environment to read. */
const FROM_VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]{0,255})$/;

/** Text that can be sent in a header as it is. */
const Secret = z
	.string()
	.max(16_384)
	.regex(/^[\x21-\x7e]+$/, "must be printable characters without spaces");
const Time = z.int().min(0).max(LATEST);
/** Optional, because the id already names the provider. */
const provider = ModelProvider.exactOptional();

/** Times are in milliseconds since 1970. */
export const StoredCredential = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("api_key"), provider, key: Secret }),
	z.strictObject({ type: z.literal("token"), provider, token: Secret, expires: Time.exactOptional() }),
	z.strictObject({ type: z.literal("oauth"), provider, access: Secret, refresh: Secret, expires: Time }),
]);
export type StoredCredential = z.infer<typeof StoredCredential>;

const StoredId = AuthProfileId.refine((id) => !isEnvironmentId(id), "is reserved for the account from the environment");

/** The content of the accounts file. Unknown fields are refused, because they would be lost when the file is replaced. */
export const StoredAccounts = z
	.strictObject({
		version: z.literal(1),
		profiles: z.record(StoredId, StoredCredential),
		order: z.strictObject({ anthropic: z.array(StoredId).exactOptional(), openai: z.array(StoredId).exactOptional() }).prefault({}),
	})
	.superRefine(({ profiles }, { addIssue }) => {
		for (const [id, { provider }] of Object.entries(profiles)) {
			if (provider !== undefined && provider !== providerOf(id))
				addIssue({ code: "custom", path: ["profiles", id, "provider"], message: "is not the provider in the account's name" });
		}
	});
export type StoredAccounts = z.infer<typeof StoredAccounts>;

export const noStoredAccounts: StoredAccounts = { version: 1, profiles: {}, order: {} };

export function isEnvironmentId(id: string): boolean {
	return id.endsWith(":env");
}

export function providerOf(id: string): ModelProvider {
	return ModelProvider.parse(id.slice(0, id.indexOf(":")));
}

/** The secret to send, or `env:NAME`. */
export function storedValue(credential: StoredCredential): string {
	switch (credential.type) {
		case "api_key":
			return credential.key;
		case "token":
			return credential.token;
		case "oauth":
			return credential.access;
	}
}

export function variableOf(value: string): string | undefined {
	return FROM_VARIABLE.exec(value)?.[1];
}

/** All secret values in the file. */
export function storedSecrets({ profiles }: StoredAccounts): readonly string[] {
	return Object.values(profiles)
		.flatMap((credential) => [storedValue(credential), ...(credential.type === "oauth" ? [credential.refresh] : [])])
		.filter((value) => variableOf(value) === undefined);
}
