import { isAbsolute } from "node:path";
import type { Unavailable } from "@xworkmate/contracts";
import wellKnown from "nodemailer/lib/well-known";
import { z } from "zod";
import { AddressError, type Stored } from "../set-up/channel-kind.ts";
import { settingFix } from "../set-up/setting-fix.ts";
import { emailAddress } from "./email-address.ts";

/** How to turn encryption on. */
export const ENCRYPTION_FIX =
	"Turn encryption on: `npm run -s xworkmate -- channels setup email --security starttls`, or `--security tls` with the port for TLS, usually 465.";

/** Text on a single line, because it becomes part of a header or a command. */
const line = (most: number) =>
	z
		.string()
		.min(1)
		.max(most)
		.regex(/^[^\p{Cc}\p{Cs}]+$/u, "must be one line");
const address = z.string().superRefine((text, { addIssue }) => {
	const problem = addressProblem(text);
	if (problem !== undefined) addIssue({ code: "custom", message: problem });
});

const Settings = z.strictObject({
	/** A well-known provider, such as Gmail, whose name implies host, port and security. */
	service: line(100)
		.refine((name) => wellKnown(name) !== false, "is not a known provider; set host, port and security instead")
		.optional(),
	host: z
		.string()
		.max(253)
		.regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+)$/, "must be a host name or an IP address")
		.optional(),
	port: z.int().min(1).max(65_535).optional(),
	/** Encryption: `tls` from the first byte, `starttls` before the sign-in and the message, or `none`. */
	security: z.enum(["tls", "starttls", "none"]).optional(),
	user: line(320).optional(),
	from: address.optional(),
	fromName: line(200).optional(),
	owner: address.optional(),
	/** Certificates in PEM that are trusted in addition to those that come with Node. */
	caFile: line(4_096).refine(isAbsolute, "must be an absolute path").optional(),
});
export const emailSettings = Object.keys(Settings.shape);

const Secrets = z.strictObject({ password: line(1_024).optional() });
export const emailSecrets = Object.keys(Secrets.shape);

/** The server to hand mail to, and the account to use. */
export interface MailServer {
	readonly host: string;
	readonly port: number;
	readonly security: "tls" | "starttls" | "none";
	readonly caFile?: string | undefined;
	/** If absent, mail is handed over without signing in. */
	readonly auth?: { readonly user: string; readonly password: string } | undefined;
}

export interface MailAccount {
	readonly server: MailServer;
	readonly from: string;
	readonly fromName?: string | undefined;
}

export type ReadAccount =
	| { readonly kind: "account"; readonly account: MailAccount }
	| { readonly kind: "unready"; readonly problem: Unavailable };

/** Why these settings cannot be stored. Missing settings are not a reason, because they may be set one at a time. */
export function emailSettingsProblem({ settings, secrets }: Stored): string | undefined {
	const parsed = Settings.safeParse(settings);
	const issue = parsed.success ? Secrets.safeParse(secrets).error?.issues[0] : parsed.error.issues[0];
	return issue === undefined ? undefined : issueWords(issue);
}

/** The account that these settings describe, or what is missing or wrong. */
export function readAccount({ settings, secrets }: Stored): ReadAccount {
	const problem = emailSettingsProblem({ settings, secrets });
	if (problem !== undefined)
		return unready(
			"CHANNEL_SETTINGS_INVALID",
			`Email: ${problem}.`,
			settingFix("email", { settings, secrets }, { settings: emailSettings, secrets: emailSecrets }),
		);
	const { service, user, from = mailboxOf(user), fromName, caFile, ...given } = Settings.parse(settings);
	const { password } = Secrets.parse(secrets);
	const known = service === undefined ? undefined : wellKnown(service) || undefined;
	const host = given.host ?? known?.host;
	if (host === undefined)
		return unready(
			"CHANNEL_NOT_SET_UP",
			"Email has no server: neither a provider nor a host is set.",
			"Set up email: `npm run -s xworkmate -- channels setup email --service Gmail --user ADDRESS`. For another server, replace `--service Gmail` with `--host HOST`.",
		);
	if (from === undefined)
		return unready(
			"CHANNEL_NOT_SET_UP",
			"Email has no sender: `from` is not set.",
			"Set the sender: `npm run -s xworkmate -- channels setup email --from ADDRESS`.",
		);
	if (password !== undefined && user === undefined)
		return unready(
			"CHANNEL_NOT_SET_UP",
			"Email has a password, but no user name.",
			"Set the user name: `npm run -s xworkmate -- channels setup email --user NAME`.",
		);
	if (user !== undefined && password === undefined)
		return unready(
			"CHANNEL_NOT_SET_UP",
			`Email has no password for ${user}.`,
			"Store the password: `npm run -s xworkmate -- channels setup email --password`. If the server needs no sign-in, clear the user name under Settings > Channels instead.",
		);
	const security = given.security ?? securityOf(known, given.port);
	if (security === "none" && password !== undefined)
		return unready("CHANNEL_INSECURE", "The password would be sent unencrypted, so nothing is sent.", ENCRYPTION_FIX);
	const port = given.port ?? (known?.port === undefined ? ports[security] : Number(known.port));
	const auth = user === undefined || password === undefined ? undefined : { user, password };
	const server = { host, port, security, caFile, auth };
	return { kind: "account", account: { server, from: emailAddress(from), fromName } };
}

/** The recipient of a message that names none: the address that is set, or else the address of the account that signs in. */
export function emailOwner({ settings }: Stored): string | undefined {
	const { owner, user } = settings;
	const given = typeof owner === "string" ? owner : mailboxOf(user);
	return given === undefined || addressProblem(given) !== undefined ? undefined : emailAddress(given);
}

const ports: Readonly<Record<MailServer["security"], number>> = { tls: 465, starttls: 587, none: 25 };

function securityOf(known: { readonly secure?: boolean | undefined } | undefined, port: number | undefined): MailServer["security"] {
	const isSecure = port === undefined ? known?.secure === true : port === ports.tls;
	return isSecure ? "tls" : "starttls";
}

function mailboxOf(user: unknown): string | undefined {
	return typeof user === "string" && addressProblem(user) === undefined ? user : undefined;
}

function addressProblem(text: string): string | undefined {
	try {
		emailAddress(text);
		return undefined;
	} catch (error) {
		if (error instanceof AddressError) return "must be an email address";
		throw error;
	}
}

function unready(code: string, message: string, fix: string): ReadAccount {
	return { kind: "unready", problem: { code, message, fix } };
}

/** Does not quote the values, because a secret may have been entered as a setting. */
function issueWords(issue: z.core.$ZodIssue): string {
	if (issue.code === "unrecognized_keys")
		return `${issue.keys.map((key) => key.slice(0, 100)).join(", ")} ${issue.keys.length === 1 ? "is not a setting" : "are not settings"}`;
	return `${issue.path.map(String).join(".")} ${issue.code === "custom" || issue.code === "invalid_format" ? issue.message : "is not valid"}`;
}
