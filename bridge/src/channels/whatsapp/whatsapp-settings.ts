import type { Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import { AddressError, type Stored } from "../set-up/channel-kind.ts";
import { settingFix } from "../set-up/setting-fix.ts";
import { phoneAddress } from "./phone-address.ts";

const META = "https://graph.facebook.com";
const DEFAULT_VERSION = "v23.0";
const DEFAULT_LANGUAGE = "en_US";
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

const id = z.string().regex(/^\d{1,40}$/, "must be the digits that Meta shows as its ID");
const secret = z
	.string()
	.min(1)
	.max(4_096)
	.regex(/^[\x21-\x7e]+$/, "must contain only ASCII characters, and no spaces");

const Settings = z.strictObject({
	/** The sender: Meta's id of the number, not the number itself. */
	phoneNumberId: id.optional(),
	businessAccountId: id.optional(),
	apiVersion: z
		.string()
		.regex(/^v\d{1,3}\.\d{1,2}$/, "must have the form v23.0")
		.optional(),
	/** A server other than Meta's, such as one for tests. */
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
	/** An approved template, which may be sent to people who have not written for 24 hours. */
	template: z
		.string()
		.regex(/^[a-z0-9_]{1,512}$/, "must be the name of a template: only lowercase letters, digits and _")
		.optional(),
	templateLanguage: z
		.string()
		.regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/, "must be a language code such as en or en_US")
		.optional(),
});
export const whatsAppSettings = Object.keys(Settings.shape);

const Secrets = z.strictObject({
	accessToken: secret.optional(),
	/** The secret with which Meta signs its reports about messages. */
	appSecret: secret.optional(),
	/** A value that the user makes up and gives to Meta, which proves that the webhook belongs to them. */
	verifyToken: secret.optional(),
});
export const whatsAppSecrets = Object.keys(Secrets.shape);

/** A number registered with Meta, and how to reach its API. */
export interface WhatsAppAccount {
	/** The Graph API's address with its version, without a slash at the end. */
	readonly url: string;
	readonly phoneNumberId: string;
	readonly accessToken: string;
	readonly template?: { readonly name: string; readonly language: string } | undefined;
	/** True if Meta's reports about messages can be verified. */
	readonly hasWebhookSecrets: boolean;
}

export type ReadAccount =
	| { readonly kind: "account"; readonly account: WhatsAppAccount }
	| { readonly kind: "unready"; readonly problem: Unavailable };

/** Why these settings cannot be stored. Missing settings are not a reason, because they may be set one at a time. */
export function whatsAppSettingsProblem({ settings, secrets }: Stored): string | undefined {
	const parsed = Settings.safeParse(settings);
	const issue = parsed.success ? Secrets.safeParse(secrets).error?.issues[0] : parsed.error.issues[0];
	return issue === undefined ? undefined : issueWords(issue);
}

/** The account that these settings describe, or what is missing or wrong. */
export function readWhatsAppAccount(stored: Stored): ReadAccount {
	const problem = whatsAppSettingsProblem(stored);
	if (problem !== undefined)
		return unready(
			"CHANNEL_SETTINGS_INVALID",
			`WhatsApp: ${problem}.`,
			settingFix("whatsapp", stored, { settings: whatsAppSettings, secrets: whatsAppSecrets }),
		);
	const { phoneNumberId, apiVersion = DEFAULT_VERSION, baseUrl = META, template, templateLanguage } = Settings.parse(stored.settings);
	const { accessToken, appSecret, verifyToken } = Secrets.parse(stored.secrets);
	if (phoneNumberId === undefined)
		return unready(
			"CHANNEL_NOT_SET_UP",
			"WhatsApp has no number to send from: `phoneNumberId` is not set.",
			"Set up WhatsApp: `npm run -s xworkmate -- channels setup whatsapp --phone-number-id ID`.",
		);
	if (accessToken === undefined)
		return unready(
			"CHANNEL_NOT_SET_UP",
			"WhatsApp has no access token.",
			"Store one: `npm run -s xworkmate -- channels setup whatsapp --access-token`.",
		);
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

/** The recipient of a message that names none. */
export function whatsAppOwner({ settings: { owner } }: Stored): string | undefined {
	return typeof owner === "string" && isPhone(owner) ? phoneAddress(owner) : undefined;
}

/**
 * What is wrong with an API address. It may contain only a host and a port. The token is sent with each request, so the connection has to
 * be encrypted, unless it stays on this computer.
 */
function baseUrlProblem(text: string): string | undefined {
	const url = URL.parse(text);
	if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must begin with https://";
	if (url.protocol === "http:" && !LOOPBACK.test(url.hostname))
		return "must begin with https://, because otherwise the token would be sent unencrypted";
	if (url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "" || url.hash !== "")
		return "must contain only a host and, if needed, a port";
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

/** Does not quote the values, because a secret may have been put in the place of a setting. */
function issueWords(issue: z.core.$ZodIssue): string {
	if (issue.code === "unrecognized_keys")
		return `${issue.keys.map((key) => key.slice(0, 100)).join(", ")} ${issue.keys.length === 1 ? "is not a setting" : "are not settings"}`;
	return `${issue.path.map(String).join(".")} ${issue.code === "custom" || issue.code === "invalid_format" ? issue.message : "is not valid"}`;
}
