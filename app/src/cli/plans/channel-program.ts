import { ChannelId, Contact, ContactId, omitUndefined } from "@xworkmate/contracts";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { z } from "zod";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { type Act, checked, json, type ProgramContext, perform } from "../parts/command-parts.ts";
import { addRemoval } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { channelRemoval } from "../parts/removals.ts";
import {
	addContact,
	listChannels,
	listContacts,
	listInbox,
	removeChannel,
	removeContact,
	setUpChannel,
	showInbox,
	testChannel,
} from "./channel-commands.ts";
import { channelValues, refuseNonAddress, refuseNothing, type SetUpFlags } from "./channel-values.ts";

const AS_ARGUMENT =
	"error: This command does not accept that argument or option. Passwords and tokens can't be passed as arguments, because other programs can read them and your shell keeps them in its history. Run the command with only --password, --access-token or --webhook: it then asks for the secret, or reads it from standard input. If you typed a real password or token, replace it.";

/** `xworkmate channels ...` */
export function addChannels(program: Command, context: ProgramContext): void {
	const channels = program.command("channels").description("Show, set up, test and remove the channels that send messages");
	const channel = (choices: readonly ChannelId[] = ChannelId.options) => new Argument("<channel>", "The channel").choices(choices);
	// The dashboard is always ready, and has no settings.
	const removable = ChannelId.options.filter((one) => one !== "dashboard");
	channels
		.command("list", { isDefault: true })
		.description("List channels with their settings and any problems")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listChannels));
	const setup = channels
		.command("setup")
		.description("Set up a channel; options that you leave out keep their values")
		.addArgument(channel())
		.option("--service <name>", "A mail service that XWorkmate knows by name, such as Gmail")
		.option("--host <host>", "The server for outgoing mail")
		.option("--port <port>", "The server's port", portOf)
		.addOption(new Option("--security <kind>", "How the connection is encrypted").choices(["tls", "starttls", "none"]))
		.option("--user <name>", "The name to sign in with; you are asked for the password")
		.option("--from <address>", "The sender's address, if it differs from the user name")
		.option("--from-name <name>", "The sender name that recipients see")
		.option("--owner <address>", "Your own address, WhatsApp number or Discord id; messages without a recipient go there")
		.option("--channel <id>", "Discord: the channel for messages without a recipient, instead of a direct message to you")
		.option("--timezone <zone>", "Discord: the time zone of the times you name there, such as Asia/Bangkok; by default, the bridge's")
		.option("--ca-file <file>", "A file with certificates to trust in addition to Node's own")
		.option("--password", "Ask for the password again")
		.option("--password-env <name>", "Read the password from this environment variable")
		.option("--phone-number-id <id>", "WhatsApp: Meta's id of the number to send from; you are asked for the access token")
		.option("--business-account-id <id>", "WhatsApp: Meta's id of the WhatsApp Business account; stored, but not used yet")
		.option("--template <name>", "WhatsApp: an approved template, for testing with a number that has not written in the last 24 hours")
		.option("--template-language <code>", "WhatsApp: the template's language, such as en_US")
		.option("--api-version <version>", "WhatsApp: the version of the Graph API, such as v23.0")
		.option("--base-url <url>", "WhatsApp: a server other than Meta's, such as one for tests")
		.option("--access-token", "WhatsApp: ask for the access token again")
		.option("--access-token-env <name>", "WhatsApp: read the access token from this environment variable")
		.option("--webhook", "WhatsApp: ask for the app secret and the verify token of the webhook")
		.option("--app-secret-env <name>", "WhatsApp: read the app secret from this environment variable")
		.option("--verify-token-env <name>", "WhatsApp: read the verify token from this environment variable")
		.addOption(json)
		// An extra argument may be the password, which the parser's error would print.
		.allowUnknownOption()
		.allowExcessArguments()
		.action(async (id: ChannelId, { json, ...flags }: SetUpFlags & { json?: boolean }) => {
			if (setup.args.length > 1) setup.error(AS_ARGUMENT, { code: "xworkmate.secretAsArgument", exitCode: 2 });
			if (id === "email") for (const name of ["from", "owner"] as const) refuseNonAddress(`--${name}`, flags[name]);
			const { settings, secrets } = await channelValues(context, flags);
			refuseNothing(settings, secrets);
			await perform(context, { ...(json === true && { json }) }, (output) => setUpChannel(output, id, settings, secrets));
		});
	channels
		.command("test")
		.description("Test a channel with one real message, except on the dashboard, and show the result of each step")
		.addArgument(channel())
		.option("--to <contact>", "A contact; by default, you", contactId)
		.addOption(json)
		.action((id: ChannelId, { to, ...flags }: { to?: string; json?: boolean }) =>
			perform(context, flags, (output) => testChannel(output, id, to)),
		);
	const remove = channels
		.command("remove")
		.description("Remove a channel's settings and the secrets stored with them; asks first")
		.addArgument(channel(removable));
	addRemoval(remove, context, channelRemoval, removeChannel);
}

interface ContactFlags {
	readonly name: string;
	readonly email?: string;
	readonly discord?: string;
	readonly whatsapp?: string;
	readonly json?: boolean;
}

/** `xworkmate contacts ...` and `xworkmate inbox ...` */
export function addContacts(program: Command, context: ProgramContext): void {
	const performed =
		<Given>(act: (output: Output, given: Given) => ReturnType<Act>) =>
		(given: Given, flags: { json?: boolean }) =>
			perform(context, flags, (output) => act(output, given));
	const contacts = program.command("contacts").description("List, add and remove contacts");
	contacts
		.command("list", { isDefault: true })
		.description("List contacts with their addresses")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listContacts));
	contacts
		.command("add")
		.description("Add a contact, or replace the one with this id")
		.argument("<contact>", "A short id, such as anna", contactId)
		.requiredOption("--name <name>", "The contact's name")
		.option("--email <address>", "The contact's email address")
		.option("--discord <id>", "The contact's id on Discord, or channel:<id> for a channel")
		.option("--whatsapp <number>", "The contact's WhatsApp number, with + and the country code")
		.addOption(json)
		.action((id: ContactId, { name, json, ...given }: ContactFlags) => {
			const addresses = omitUndefined(given);
			if (Object.keys(addresses).length === 0) throw new WrongUsage("A contact needs an address.", "Add --email, --whatsapp or --discord.");
			refuseNonAddress("--email", given.email);
			const contact = contactOf({ contactId: id, name, addresses });
			const flags = { ...(json === true && { json }) };
			return perform(context, flags, (output) => addContact(output, contact));
		});
	contacts
		.command("remove")
		.description("Remove a contact; messages to them are held for your review when they are due")
		.argument("<contact>", "The contact's id", contactId)
		.addOption(json)
		.action(performed(removeContact));
	const inbox = program.command("inbox").description("Read the messages that plans have put in the inbox");
	inbox
		.command("list", { isDefault: true })
		.description("List messages, newest first")
		.option("--unread", "Only unread messages")
		.addOption(json)
		.action(({ unread, ...flags }: { unread?: boolean; json?: boolean }) =>
			perform(context, flags, (output) => listInbox(output, unread === true)),
		);
	inbox
		.command("show")
		.description("Show a message and mark it as read")
		.argument("<message>", "The message's id")
		.addOption(json)
		.action(performed(showInbox));
}

/** @throws WrongUsage naming the part that is wrong */
function contactOf(given: z.input<typeof Contact>): Contact {
	const { success, data, error } = Contact.safeParse(given);
	if (success) return data;
	const [part] = error.issues[0]?.path ?? [];
	if (part === "name") throw new WrongUsage("The contact's name is empty or too long.", "Give a name of 1 to 200 characters: --name");
	throw new WrongUsage("The contact's address is empty or too long.", "Give an address of 1 to 320 characters.");
}

function contactId(id: string): ContactId {
	return checked(
		ContactId.safeParse(id),
		"a short id of lowercase letters, digits, '.', '_' or '-' that begins with a letter or digit, such as anna",
	);
}

function portOf(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new InvalidArgumentError("It must be a whole number from 1 to 65535.");
}
