import { AuthProfile, type ModelProvider } from "@xworkmate/contracts";

/** An account as the bridge lists it, checked by the contract. */
export function profile(profileId: string, more: object = {}): AuthProfile {
	const provider = profileId.split(":")[0] as ModelProvider;
	return AuthProfile.parse({ profileId, provider, type: "api_key", state: "ready", ...more });
}

/** Three accounts in order; the first is limited. */
export const three = (until = "2026-01-02T10:42:00.000Z"): readonly AuthProfile[] => [
	profile("anthropic:manual", { type: "token", state: "cooling", reason: "rate_limited", until, lastUsedAt: "2026-01-02T09:38:00.000Z" }),
	profile("anthropic:key"),
	profile("anthropic:team", { variable: "TEAM_KEY" }),
];
