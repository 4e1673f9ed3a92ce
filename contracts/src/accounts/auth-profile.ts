import { z } from "zod";
import { Timestamp } from "../ids/ids.ts";

/** The vendors of the models that the assistant can use. `openai`: any server that speaks OpenAI's protocol. */
export const ModelProvider = z.enum(["anthropic", "openai"]);
export type ModelProvider = z.infer<typeof ModelProvider>;

/** `<provider>:<name>`, or `<provider>:env` for a credential in the environment. */
export const AuthProfileId = z
	.string()
	.regex(/^(?:anthropic|openai):[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, "must be anthropic: or openai:, followed by a name")
	.brand<"AuthProfileId">();
export type AuthProfileId = z.infer<typeof AuthProfileId>;

/** `none`: a server that needs no credential. */
export const AuthProfileType = z.enum(["api_key", "token", "oauth", "none"]);
export type AuthProfileType = z.infer<typeof AuthProfileType>;

/** `missing`: the environment variable that should hold the secret is not set, or does not hold a credential. */
export const AuthProfileState = z.enum(["ready", "cooling", "expired", "missing"]);
export type AuthProfileState = z.infer<typeof AuthProfileState>;

/** Why an account is not used for a while. */
export const CoolingReason = z.enum(["rate_limited", "auth", "billing"]);
export type CoolingReason = z.infer<typeof CoolingReason>;

/** An account that pays for models, without its secret. */
export const AuthProfile = z.object({
	profileId: AuthProfileId,
	provider: ModelProvider,
	type: AuthProfileType,
	/** The environment variable that holds the secret. Absent if the secret is stored. */
	variable: z.string().optional(),
	expiresAt: Timestamp.optional(),
	lastUsedAt: Timestamp.optional(),
	state: AuthProfileState,
	/** Only while cooling: why, until when, and for which model if not for all of them. */
	reason: CoolingReason.optional(),
	until: Timestamp.optional(),
	model: z.string().optional(),
});
export type AuthProfile = z.infer<typeof AuthProfile>;

/** The accounts of each provider, in the order in which they are tried. */
export const AuthProfiles = z.object({
	profiles: z.array(AuthProfile),
	/** Set if the accounts file cannot be read. */
	problem: z.object({ code: z.string(), message: z.string(), fix: z.string() }).optional(),
});
export type AuthProfiles = z.infer<typeof AuthProfiles>;

/** A new credential. A secret of the form `env:NAME` names a variable of the bridge's environment. */
export const NewCredential = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("api_key"), key: z.string().min(1).max(4096) }),
	z.strictObject({ type: z.literal("token"), token: z.string().min(1).max(4096), expires: z.int().min(0).optional() }),
]);
export type NewCredential = z.infer<typeof NewCredential>;
