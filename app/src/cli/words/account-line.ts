import type { AuthProfile } from "@xworkmate/contracts";
import { accountState, unusedForFile } from "../../text/agents/account-state.ts";
import { localTime } from "../../text/local-time.ts";
import { printable } from "../../text/printable.ts";

const types: Readonly<Record<AuthProfile["type"], string>> = { api_key: "API key", token: "token", oauth: "OAuth", none: "no credential" };

/**
 * An account on one line: its name, its kind, and whether it can be used.
 *
 * @param isFileRead false: the accounts file cannot be read, so no account is used unless it is named
 */
export function accountLine(profile: AuthProfile, isFileRead: boolean): string {
	const { profileId, type, variable, lastUsedAt } = profile;
	const from = variable === undefined ? "" : ` from ${variable}`;
	const used = lastUsedAt === undefined ? "" : `  last used ${localTime(lastUsedAt, Date.now())}`;
	return printable(`${profileId}  ${types[type]}${from}  ${isFileRead ? accountState(profile) : unusedForFile}${used}`);
}
