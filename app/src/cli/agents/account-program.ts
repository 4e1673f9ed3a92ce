import { AuthProfileId, ModelProvider } from "@xworkmate/contracts";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { commandLine } from "../../text/command-line.ts";
import { type Act, checked, json, type ProgramContext, perform } from "../parts/command-parts.ts";
import { addRemoval } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { accountRemoval } from "../parts/removals.ts";
import { addAccount, type GivenSecret, listAccounts, orderAccounts, removeAccount, testAccounts } from "./account-commands.ts";

interface SecretFlags {
	readonly name?: string;
	readonly replace?: true;
	readonly json?: boolean;
}

const NOT_TYPED =
	"A credential can't be passed as an argument: other programs can read a command's arguments, and your shell keeps them in its history.";
const REPLACE_TYPED = "If you typed a real credential, replace it with a new one.";

const AS_ARGUMENT = `error: This command doesn't accept that argument or option. ${NOT_TYPED} Run the command without it: the command then asks for the credential, or reads it from standard input. ${REPLACE_TYPED}`;

const NO_SUCH_COMMAND = `error: There is no such command or option. ${NOT_TYPED} Run one of the commands that --help lists: it asks for the credential, or reads it from standard input. ${REPLACE_TYPED}`;

/** The error for a provider that has no setup token. */
const NO_SETUP_TOKEN = `error: OpenAI's protocol has no setup token. Add an API key: ${commandLine("auth openai api-key")}`;

const REPLACED_UNNAMED = "error: --replace needs the name of the account: --name <name>";

/** `xworkmate auth ...` */
export function addAccounts(program: Command, context: ProgramContext): void {
	const auth = program.command("auth").description("List, add, order, test and remove the accounts that pay for models");
	const accountId = (id: string) => checked(AuthProfileId.safeParse(id), "the name of an account, such as anthropic:manual");
	const performed =
		<Given>(act: (output: Output, given: Given) => ReturnType<Act>) =>
		(given: Given, flags: { json?: boolean }) =>
			perform(context, flags, (output) => act(output, given));
	auth
		.command("list", { isDefault: true })
		.description("List accounts with their state, in the order in which they are tried")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listAccounts));
	addProvider(auth, context, "anthropic", "Add an Anthropic account", [
		{
			command: "setup-token",
			type: "token",
			description: "Use your Claude subscription: add the token that `claude setup-token` prints",
			lead: "Run `claude setup-token` in another terminal. Copy the whole token that it prints, which begins with sk-ant-oat01-.",
			question: "Paste the token here (hidden as you type): ",
		},
		{
			command: "api-key",
			type: "api_key",
			description: "Add an Anthropic API key",
			question: "Paste the API key here (hidden as you type): ",
		},
	]);
	addProvider(auth, context, "openai", "Add an account for OpenAI, or any server with an OpenAI-compatible API", [
		{
			command: "api-key",
			type: "api_key",
			description: "Add an API key for OpenAI or a compatible server",
			question: "Paste the API key here (hidden as you type): ",
		},
	]);
	auth
		.command("order")
		.description("Set the order in which the accounts of a provider are tried; the ones you leave out come last")
		.addArgument(new Argument("<provider>", "The provider").choices(ModelProvider.options))
		.argument("<accounts...>", "The accounts' names", (id: string, before: readonly AuthProfileId[] = []) => [...before, accountId(id)])
		.addOption(json)
		.action((provider: ModelProvider, ids: readonly AuthProfileId[], flags: { json?: boolean }) =>
			perform(context, flags, (output) => orderAccounts(output, provider, ids)),
		);
	const remove = auth
		.command("remove")
		.description("Remove an account and its credential; asks first")
		.argument("<account>", "The account's name", accountId);
	addRemoval(remove, context, accountRemoval, removeAccount);
	auth
		.command("test")
		.description("Send the smallest possible request with one account, or with all of them; this may cost a little")
		.argument("[account]", "The account's name", accountId)
		.addOption(json)
		.action(performed(testAccounts));
}

interface SecretCommand extends Pick<GivenSecret, "type"> {
	readonly command: string;
	readonly description: string;
	readonly lead?: string;
	readonly question: string;
}

function addProvider(
	auth: Command,
	context: ProgramContext,
	provider: ModelProvider,
	description: string,
	commands: readonly SecretCommand[],
): void {
	const group = auth
		.command(provider)
		.description(description)
		.helpCommand(false)
		// A word that is not a command may be the credential itself, which an error would print.
		.allowUnknownOption()
		.allowExcessArguments()
		.action(() => {
			if (group.args.length === 0) group.help({ error: true });
			const [word] = group.args;
			if (group.args.length === 1 && word === "setup-token") group.error(NO_SETUP_TOKEN, { exitCode: 2 });
			refuseArguments(group, NO_SUCH_COMMAND);
		});
	for (const { command, type, description: about, lead, question } of commands) {
		const add = group
			.command(command)
			.description(about)
			.addOption(new Option("--name <name>", "A name for the account, such as work").argParser((name) => nameOf(provider, name)))
			.option("--replace", "Replace the credential of the account with this name, if there is one")
			.addOption(json)
			// An extra argument may be the credential itself, which the parser's error would print.
			.allowUnknownOption()
			.allowExcessArguments()
			.action(async ({ name, replace, ...flags }: SecretFlags) => {
				if (add.args.length > 0) refuseArguments(add, AS_ARGUMENT);
				if (replace === true && name === undefined) add.error(REPLACED_UNNAMED, { exitCode: 2 });
				const profileId = name === undefined ? undefined : AuthProfileId.parse(`${provider}:${name}`);
				const secret = await context.readSecret(question, lead);
				await perform(context, flags, (output) => addAccount(output, { provider, type, profileId, replace, secret }));
			});
	}
}

function refuseArguments(command: Command, why: string): never {
	return command.error(why, { code: "xworkmate.secretAsArgument", exitCode: 2 });
}

function nameOf(provider: ModelProvider, name: string): string {
	if (AuthProfileId.safeParse(`${provider}:${name}`).success) return name;
	throw new InvalidArgumentError("A name has 1 to 64 letters, digits, '.', '_', '@' or '-', and begins with a letter or digit.");
}
