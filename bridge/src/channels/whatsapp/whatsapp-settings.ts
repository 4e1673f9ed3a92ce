import type { Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import { AddressError, type Stored } from "../set-up/channel-kind.ts";
import { phoneAddress } from "./phone-address.ts";

const META = "https://graph.facebook.com";
const DEFAULT_VERSION = "v23.0";
const DEFAULT_LANGUAGE = "en_US";
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

const id = z.string().regex(/^\d{1,40}$/, "must be the digits that Meta shows as its id");
const secret = z
	.string()
	.min(1)
	.max(4_096)
	.regex(/^[\x21-\x7e]+$/, "must be one word, as Meta shows it");

const Settings = z.strictObject({
	/** Whom messages are from: Meta's id of the number, not the number. */
	phoneNumberId: id.optional(),
	businessAccountId: id.optional(),
	apiVersion: z
		.string()
		.regex(/^v\d{1,3}\.\d{1,2}$/, "must have the form v23.0")
		.optional(),
	/** Another server than Meta's, such as one for tests. */
	baseUrl: z
		.string()
		.max(300)
		.superRefine((text, { addIssue }) => {
			const message = baseUrlProblem(text);
			if (message !== undefined) addIssue({ code: "custom", message });
		})
		.optional(),
	owner: z
		.string()
		.refine((text) => isPhone(text), "must be a phone number that begins with + and the country code")
		.optional(),
	/** An approved template, which may be sent to those who have not written for 24 hours. */
	template: z
		.string()
		.regex(/^[a-z0-9_]{1,512}$/, "must be the name of a template: lower case letters, digits and _")
		.optional(),
	templateLanguage: z
		.string()
		.regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/, "must have the form en_US")
		.optional(),
});
export const whatsAppSettings = Object.keys(Settings.shape);

const Secrets = z.strictObject({
	accessToken: secret.optional(),
	/** Signs Meta's reports about messages. */
	appSecret: secret.optional(),
	/** Made up by the user, and given to Meta: shows that the webhook is theirs. */
	verifyToken: secret.optional(),
});
export const whatsAppSecrets = Object.keys(Secrets.shape);

/** A number at Meta, and how it is reached. */
export interface WhatsAppAccount {
	/** Of the Graph API, with the version and without a slash at its end. */
	readonly url: string;
	readonly phoneNumberId: string;
	readonly accessToken: string;
	readonly template?: { readonly name: string; readonly language: string } | undefined;
	/** Meta's reports about messages can be verified. */
	readonly hasWebhookSecrets: boolean;
}

export type ReadAccount =
	| { readonly kind: "account"; readonly account: WhatsAppAccount }
	| { readonly kind: "unready"; readonly problem: Unavailable };

/** Why these settings cannot be stored. What is missing is not a reason: settings may come one after the other. */
export function whatsAppSettingsProblem({ settings, secrets }: Stored): string | undefined {
	const parsed = Settings.safeParse(settings);
	const issue = parsed.success ? Secrets.safeParse(secrets).error?.issues[0] : parsed.error.issues[0];
	return issue === undefined ? undefined : issueWords(issue);
}

/** The account that these settings describe, or what they lack. */
export function readWhatsAppAccount(stored: Stored): ReadAccount {
	const problem = whatsAppSettingsProblem(stored);
	if (problem !== undefined)
		return unready("CHANNEL_SETTINGS_INVALID", `WhatsApp: ${problem}.`, "Correct it with `xworkmate channels setup whatsapp`.");
	const { phoneNumberId, apiVersion = DEFAULT_VERSION, baseUrl = META, template, templateLanguage } = Settings.parse(stored.settings);
	const { accessToken, appSecret, verifyToken } = Secrets.parse(stored.secrets);
	const setUp = "Set it up: `xworkmate channels setup whatsapp`.";
	if (phoneNumberId === undefined)
		return unready("CHANNEL_NOT_SET_UP", "WhatsApp has no number to send from yet: set `phoneNumberId`.", setUp);
	if (accessToken === undefined) return unready("CHANNEL_NOT_SET_UP", "WhatsApp has no access token yet.", setUp);
	const language = templateLanguage ?? DEFAULT_LANGUAGE;
	return {
		kind: "account",
		account: {
			url: `${new URL(baseUrl).origin}/${apiVersion}`,
			phoneNumberId,
			accessToken,
			template: template === undefined ? undefined : { name: template, language },
			hasWebhookSecrets: appSecret !== undefined && verifyToken !== undefined,
		},
	};
}

/** Who gets a message that names no one. */
export function whatsAppOwner({ settings: { owner } }: Stored): string | undefined {
	return typeof owner === "string" && isPhone(owner) ? phoneAddress(owner) : undefined;
}

/** The token goes with each request, so it must be encrypted, or not leave this machine. */
function baseUrlProblem(text: string): string | undefined {
	const url = URL.parse(text);
	if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must begin with https://";
	if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) return "must begin with https://, or the token would not be encrypted";
	if (url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "" || url.hash !== "")
		return "must be a host, and a port at most";
	return undefined;
}

function isPhone(text: string): boolean {
	try {
		phoneAddress(text);
		return true;
	} catch (error) {
		if (error instanceof AddressError) return false;
		throw error;
	}
}

function unready(code: string, message: string, fix: string): ReadAccount {
	return { kind: "unready", problem: { code, message, fix } };
}

/** The values are not named: a secret may be where a setting belongs. */
function issueWords(issue: z.core.$ZodIssue): string {
	if (issue.code === "unrecognized_keys") return `there is no setting ${issue.keys.map((key) => key.slice(0, 100)).join(", ")}`;
	return `${issue.path.map(String).join(".")} ${issue.code === "custom" || issue.code === "invalid_format" ? issue.message : "is not as it should be"}`;
}
