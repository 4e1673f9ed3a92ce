import {
	type AuthProfile,
	type AuthProfileId,
	type AuthProfiles,
	type ModelProvider,
	NewCredential,
	omitUndefined,
} from "@xworkmate/contracts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { commandLine } from "../../text/command-line.ts";
import { formatSpan } from "../../text/format-measure.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { oneLine, printable } from "../../text/printable.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { accountLine } from "../words/account-line.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

export interface GivenSecret {
	readonly provider: ModelProvider;
	readonly type: "token" | "api_key";
	readonly profileId?: AuthProfileId | undefined;
	/** Replaces the credential of the account with this name. */
	readonly replace?: true | undefined;
	/** The credential as it was pasted. */
	readonly secret: string;
}

export async function listAccounts(output: Output): Promise<ExitCode> {
	return shown(output, await output.api.accounts());
}

/** Stores a credential. */
export async function addAccount(output: Output, { provider, type, profileId, replace, secret }: GivenSecret): Promise<void> {
	const credential = NewCredential.safeParse(type === "token" ? { type, token: secret } : { type, key: secret });
	// The schema refuses only an empty or overlong credential. The bridge reports any other problem.
	if (!credential.success) throw unusable(secret);
	const account = await output.api.setAccount({ provider, credential: credential.data, ...omitUndefined({ profileId, replace }) });
	print(output, account, [
		`Saved ${account.profileId}. It is now the first account tried for its provider.`,
		`Test it: ${commandLine(`auth test ${account.profileId}`)}`,
	]);
}

export async function orderAccounts(output: Output, provider: ModelProvider, profileIds: readonly AuthProfileId[]): Promise<ExitCode> {
	return shown(output, await output.api.orderAccounts({ provider, profileIds: [...profileIds] }));
}

export async function removeAccount(output: Output, profileId: AuthProfileId): Promise<void> {
	const { profiles } = await output.api.accounts();
	const left = await output.api.removeAccount({ profileId });
	// If the account names a variable, the variable stays, and with it the credential.
	const isVariable = profiles.some((profile) => profile.profileId === profileId && profile.variable !== undefined);
	print(output, left, [isVariable ? `Removed ${profileId}.` : `Removed ${profileId} and its credential.`]);
}

/** Tests one account, or all accounts. */
export async function testAccounts(output: Output, profileId: AuthProfileId | undefined): Promise<ExitCode> {
	const { profiles, problem } = profileId === undefined ? await output.api.accounts() : { profiles: [{ profileId }], problem: undefined };
	if (profileId === undefined && profiles.length === 0) {
		shown(output, { profiles: [], ...(problem && { problem }) });
		return exitCode.beforeRun;
	}
	let code: ExitCode = problem === undefined ? exitCode.success : exitCode.beforeRun;
	for (const each of profiles) {
		const result = await output.api.testAccount({ profileId: each.profileId });
		if (!result.ok) code = exitCode.beforeRun;
		print(output, result, testLines(each.profileId, result));
	}
	if (problem !== undefined && !output.json) for (const line of problemLines(problem)) output.console.line(line);
	return code;
}

function shown(output: Output, accounts: AuthProfiles): ExitCode {
	const { profiles, problem } = accounts;
	const none = [
		"There are no accounts.",
		`Use your Claude subscription: ${commandLine("auth anthropic setup-token")}`,
		`Use an API key: ${commandLine("auth anthropic api-key")} or ${commandLine("auth openai api-key")}`,
	];
	const lines =
		profiles.length === 0 && problem === undefined
			? none
			: profiles.map((profile: AuthProfile) => accountLine(profile, problem === undefined));
	print(output, accounts, [...lines, ...(problem === undefined ? [] : problemLines(problem))]);
	return problem === undefined ? exitCode.success : exitCode.beforeRun;
}

/** What is wrong with the accounts file. */
function problemLines({ code, message, fix }: NonNullable<AuthProfiles["problem"]>): readonly string[] {
	return [`${printable(message)} (${code})`, `  ${printable(fix)}`];
}

function testLines(
	profileId: AuthProfileId,
	{ ok, problem, tookMs }: Awaited<ReturnType<Output["api"]["testAccount"]>>,
): readonly string[] {
	if (ok || problem === undefined) return [`${profileId}  works (answered in ${formatSpan(tookMs)})`];
	const message = messageInLocalTime(problem.code, problem.message, Date.now());
	return [`${profileId}  FAILED  ${oneLine(message, 600)} (${problem.code})`, `  ${oneLine(problem.fix, 600)}`];
}

function unusable(secret: string): WrongUsage {
	return secret.trim() === ""
		? new WrongUsage("No credential was given.", "Run the command again and paste the credential, or pass it on standard input.")
		: new WrongUsage("This is too long to be a credential.", "Copy only the credential, and paste it once.");
}
