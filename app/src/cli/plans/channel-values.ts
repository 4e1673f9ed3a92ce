import { omitUndefined } from "@xworkmate/contracts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { commandLine } from "../../text/command-line.ts";
import type { ProgramContext } from "../parts/command-parts.ts";

/** The options that set up a channel. */
export interface SetUpFlags {
	readonly service?: string;
	readonly host?: string;
	readonly port?: number;
	readonly security?: string;
	readonly user?: string;
	readonly from?: string;
	readonly fromName?: string;
	readonly owner?: string;
	readonly caFile?: string;
	readonly channel?: string;
	readonly timezone?: string;
	readonly password?: boolean;
	readonly passwordEnv?: string;
	readonly phoneNumberId?: string;
	readonly businessAccountId?: string;
	readonly template?: string;
	readonly templateLanguage?: string;
	readonly apiVersion?: string;
	readonly baseUrl?: string;
	readonly accessToken?: boolean;
	readonly accessTokenEnv?: string;
	readonly webhook?: boolean;
	readonly appSecretEnv?: string;
	readonly verifyTokenEnv?: string;
}

interface AskedSecret {
	readonly isAsked: boolean;
	readonly variable: string | undefined;
	/** The flag that names the variable. */
	readonly flag: string;
	/** The flag that asks for the secret. */
	readonly ask: string;
	/** The name of the secret in messages, such as `app secret`. */
	readonly what: string;
	/** A line that says where users find it. */
	readonly lead?: string;
}

/**
 * The settings and secrets of a channel. With `--user`, the password is read too; with `--phone-number-id`, the access token. Settings of
 * another channel are passed on, so that the bridge refuses them.
 */
export async function channelValues(context: ProgramContext, flags: SetUpFlags) {
	const {
		password: isAsked,
		passwordEnv,
		accessToken: _a,
		accessTokenEnv: _t,
		webhook,
		appSecretEnv: _s,
		verifyTokenEnv: _v,
		...settings
	} = flags;
	const password = await secretOf(context, {
		isAsked: isAsked === true || flags.user !== undefined,
		variable: passwordEnv,
		flag: "--password-env",
		ask: "--password",
		what: "password",
	});
	const accessToken = await secretOf(context, {
		isAsked: flags.accessToken === true || flags.phoneNumberId !== undefined,
		variable: flags.accessTokenEnv,
		flag: "--access-token-env",
		ask: "--access-token",
		what: "access token",
		lead: "In Meta's business settings, open System users. Generate a token for your app that never expires and has the permission whatsapp_business_messaging.",
	});
	const appSecret = await secretOf(context, {
		isAsked: webhook === true,
		variable: flags.appSecretEnv,
		flag: "--app-secret-env",
		ask: "--webhook",
		what: "app secret",
		lead: "In Meta's app dashboard, open App settings > Basic and copy the app secret.",
	});
	const verifyToken = await secretOf(context, {
		isAsked: webhook === true,
		variable: flags.verifyTokenEnv,
		flag: "--verify-token-env",
		ask: "--webhook",
		what: "verify token",
		lead: "Make up a long random string. Enter it here, and in Meta's app dashboard under WhatsApp > Configuration.",
	});
	const secrets = {
		...(password !== undefined && { password }),
		...(accessToken !== undefined && { accessToken }),
		...(appSecret !== undefined && { appSecret }),
		...(verifyToken !== undefined && { verifyToken }),
	};
	return { settings: omitUndefined(settings), secrets };
}

/** The dots that may separate the parts of a domain. */
const DOT = /[.\u3002\uff0e\uff61]/u;

/** @throws WrongUsage if what was given as an email address can't be one; the bridge, which knows how domains are written, checks the rest */
export function refuseNonAddress(flag: string, given: string | undefined): void {
	const at = given?.trim().lastIndexOf("@") ?? 0;
	if (given === undefined || (at > 0 && DOT.test(given.trim().slice(at)))) return;
	throw new WrongUsage(`${flag} must be an email address of the form name@example.org, so nothing was stored.`, "Correct the address.");
}

/** @throws WrongUsage if a secret is empty, or if there is nothing to store */
export function refuseNothing(settings: object, secrets: Readonly<Record<string, string>>): void {
	if (Object.values(secrets).includes(""))
		throw new WrongUsage(
			"The secret is empty, so nothing was stored.",
			"Run the command again, and paste the secret or pass it on standard input.",
		);
	if (Object.keys(settings).length + Object.keys(secrets).length === 0)
		throw new WrongUsage(
			"No setting was given, so nothing was stored.",
			`Add an option. List the options: ${commandLine("channels setup --help")}`,
		);
}

/** A secret, which is never taken from an argument. Undefined means that the stored one is kept. */
async function secretOf(context: ProgramContext, { isAsked, variable, flag, ask, what, lead }: AskedSecret): Promise<string | undefined> {
	if (variable === undefined)
		return isAsked ? withoutLineEnd(await context.readSecret(`Paste the ${what} here (hidden as you type): `, lead)) : undefined;
	const value = context.variable(variable);
	if (value !== undefined && value !== "") return value;
	throw new WrongUsage(
		`The variable ${variable} is empty or not set, so nothing was stored.`,
		`Set it, or use ${ask} instead of ${flag} and paste the ${what}.`,
	);
}

/** Removes the line breaks at the end, such as the one that pressing Enter leaves. */
function withoutLineEnd(text: string): string {
	let end = text.length;
	while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
	return text.slice(0, end);
}
