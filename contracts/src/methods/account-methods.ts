import { z } from "zod";
import { AuthProfile, AuthProfileId, AuthProfiles, ModelProvider, NewCredential } from "../accounts/auth-profile.ts";
import { Unavailable } from "../errors/unavailable.ts";
import type { MethodDefinition } from "./method-definition.ts";

/** The accounts that pay for the assistant's models. No answer contains a secret. */
export const accountMethods = {
	"xworkmate.auth.list": {
		params: z.strictObject({}),
		result: AuthProfiles,
		streams: false,
		effects: false,
		summary: "Accounts with their state, without their secrets.",
	},
	"xworkmate.auth.set": {
		params: z.strictObject({
			provider: ModelProvider,
			profileId: AuthProfileId.optional(),
			credential: NewCredential,
			/** Replaces the credential of the account with this name, even if that credential still works. */
			replace: z.literal(true).optional(),
		}),
		result: AuthProfile,
		streams: false,
		effects: true,
		summary:
			"Stores a credential, and puts it first among its provider's accounts. Without `replace`, a credential that may still work is never replaced.",
	},
	"xworkmate.auth.order": {
		params: z.strictObject({ provider: ModelProvider, profileIds: z.array(AuthProfileId).max(100) }),
		result: AuthProfiles,
		streams: false,
		effects: true,
		summary: "Sets the order in which a provider's accounts are tried.",
	},
	"xworkmate.auth.remove": {
		params: z.strictObject({ profileId: AuthProfileId }),
		result: AuthProfiles,
		streams: false,
		effects: true,
		summary: "Removes an account and its credential.",
	},
	"xworkmate.auth.test": {
		params: z.strictObject({ profileId: AuthProfileId }),
		result: z.object({
			profile: AuthProfile,
			ok: z.boolean(),
			/** Why the request failed. Absent: it succeeded. */
			problem: Unavailable.optional(),
			tookMs: z.int().min(0),
		}),
		streams: false,
		effects: true,
		summary: "Makes the smallest possible request with an account, within 20 s. This may incur a small charge.",
	},
} as const satisfies Record<string, MethodDefinition>;
