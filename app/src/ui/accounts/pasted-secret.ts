import type { ModelProvider, NewCredential } from "@xworkmate/contracts";

/** The kinds of credentials that the form for a new account accepts. */
export type AccountKind = "subscription" | "key" | "openai";

export const makerOf: Readonly<Record<AccountKind, ModelProvider>> = { subscription: "anthropic", key: "anthropic", openai: "openai" };

/**
 * The other kind of Anthropic credential, if the pasted text begins like that kind. The text can then be saved as that kind without being
 * pasted again. The bridge checks everything else.
 */
export function otherKind(kind: AccountKind, pasted: string): AccountKind | undefined {
	const text = pasted.trim();
	if (kind === "subscription" && text.startsWith("sk-ant-api")) return "key";
	if (kind === "key" && text.startsWith("sk-ant-oat")) return "subscription";
	return undefined;
}

export function credentialOf(kind: AccountKind, secret: string): NewCredential {
	return kind === "subscription" ? { type: "token", token: secret } : { type: "api_key", key: secret };
}

/** True for a name that may follow the colon in an account's id. The contract defines the same rule. */
export function isAccountName(name: string): boolean {
	return /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(name);
}
