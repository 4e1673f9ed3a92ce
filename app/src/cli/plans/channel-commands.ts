import {
	type Channel,
	type ChannelId,
	type Contact,
	type ContactId,
	type InboxMessage,
	omitUndefined,
	RequestId,
} from "@xworkmate/contracts";
import { nanoid } from "nanoid";
import { pagesOf } from "../../api/pages-of.ts";
import { AppError } from "../../errors/app-error.ts";
import { channelStepWords, channelWords } from "../../strings/plans/plan-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { type ChannelState, channelState, isOpen, testSpan } from "../../text/plans/channel-test.ts";
import { oneLine, printable } from "../../text/printable.ts";
import { localZone, timeWords } from "../../text/zoned-time.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { terminalFix } from "../words/terminal-fix.ts";
import { unavailableLines } from "./unready-channels.ts";

/** Settings by the bridge's names. A setting that is absent keeps its value. */
export type ChannelSettings = Readonly<Record<string, string | number>>;

export async function listChannels(output: Output): Promise<void> {
	const listed = await output.api.channels();
	print(output, listed, listed.channels.flatMap(channelLines));
}

/**
 * Sets up a channel.
 * @param secrets stored in a separate file, and never shown
 */
export async function setUpChannel(
	output: Output,
	channel: ChannelId,
	settings: ChannelSettings,
	secrets: Readonly<Record<string, string>>,
): Promise<ExitCode> {
	const set = await output.api.setUpChannel({ channel, settings, secrets });
	print(output, set, ["Stored.", ...channelLines(set), ...(set.ready ? testLines(set) : [])]);
	return set.ready ? exitCode.success : exitCode.beforeRun;
}

/** How to check that a channel works. A test that names no contact is sent to the owner. */
function testLines({ channel, owner }: Channel): readonly string[] {
	const test = `channels test ${channel}`;
	if (owner !== undefined) return [`Send yourself a message to check that it works: ${commandLine(test)}`];
	const what = ownerWords[channel];
	return [
		`Your own ${what} isn't set, so messages to yourself can't be sent. Set it: ${commandLine(`channels setup ${channel} --owner ${what.toUpperCase()}`)}`,
		`To test with a contact instead: ${commandLine(`${test} --to CONTACT`)}`,
	];
}

/** What identifies the owner in each channel. */
const ownerWords: Readonly<Record<ChannelId, string>> = { email: "address", whatsapp: "number", discord: "id", dashboard: "id" };

/** Tests a channel, with a real message except on the dashboard, and prints the result of each step. */
export async function testChannel(output: Output, channel: ChannelId, recipient: string | undefined): Promise<ExitCode> {
	const requestId = RequestId.parse(`command-${nanoid()}`);
	const result = await output.api.testChannel({ channel, requestId, ...omitUndefined({ recipient }) });
	const steps = result.steps.map(
		({ step, ok, message }) =>
			`${ok ? "ok     " : isOpen(result.channel.tested) ? "UNKNOWN" : "FAILED "} ${channelStepWords[step]}: ${oneLine(message, 600)}`,
	);
	const { problem } = result.channel.tested ?? {};
	// The test of the dashboard sends nothing.
	const isSent = result.steps.some(({ step, ok }) => step === "accepted" && ok);
	const sent = isSent ? [`A message was sent in ${testSpan(result.tookMs)}. Check whether it arrived.`] : [];
	const end = result.ok
		? sent
		: [...(problem === undefined ? [] : [`  ${oneLine(terminalFix(problem.code, problem.fix), 600)} (${problem.code})`])];
	print(output, result, [...steps, ...end]);
	return result.ok ? exitCode.success : exitCode.beforeRun;
}

export async function removeChannel(output: Output, channel: ChannelId): Promise<void> {
	const before = (await output.api.channels()).channels.find((one) => one.channel === channel);
	const removed = await output.api.removeChannel({ channel });
	const name = channelWords[channel];
	if (before !== undefined && isEmpty(before))
		return print(output, removed, [`No settings for ${name} were stored, so nothing was removed.`]);
	const all = `Removed the settings and secrets for ${name}.`;
	// The bot's token is a setting of the bridge, which the assistant uses too.
	const discord = `Removed the settings for ${name}. The bot's token is set separately, and was not removed.`;
	print(output, removed, [channel === "discord" ? discord : all]);
}

/**
 * True if nothing is stored for the channel. Settings that the channel doesn't know aren't listed, but make it unavailable for another
 * reason.
 */
function isEmpty({ settings, secrets, ready, unavailable }: Channel): boolean {
	return Object.keys(settings).length + secrets.length === 0 && (ready || unavailable?.code === "CHANNEL_NOT_SET_UP");
}

export async function listContacts(output: Output): Promise<void> {
	const listed = await output.api.contacts();
	const none = ["There are no contacts.", `Add one: ${commandLine('contacts add anna --name "Anna" --email anna@example.com')}`];
	print(output, listed, listed.contacts.length === 0 ? none : listed.contacts.map(contactLine));
}

export async function addContact(output: Output, contact: Contact): Promise<void> {
	const before = (await output.api.contacts()).contacts.find(({ contactId }) => contactId === contact.contactId);
	const put = await output.api.putContact(contact);
	print(output, put, [contactLine(put), ...replacedLines(before, put)]);
}

export async function removeContact(output: Output, contactId: ContactId): Promise<void> {
	const left = await output.api.removeContact({ contactId });
	print(output, left, [
		`Removed ${contactId}. Messages to them are held for your review when they are due, unless you add ${contactId} again first.`,
	]);
}

export async function listInbox(output: Output, unread: boolean): Promise<void> {
	const listed = await output.api.inbox({ ...(unread && { unread: true as const }) });
	const more = listed.nextCursor === undefined ? [] : ["There are more. Open the page to see them all."];
	const none = [unread ? "No unread messages." : "The inbox is empty."];
	print(output, listed, listed.items.length === 0 ? none : [...listed.items.map(inboxLine), ...more]);
}

/** Shows a message of the inbox and marks it as read. */
export async function showInbox(output: Output, messageId: string): Promise<void> {
	const message = await inboxMessage(output, messageId);
	print(output, message, [inboxLine(message), "", ...printable(message.text).split("\n")]);
	if (!message.read) await output.api.markInbox({ messageIds: [messageId], read: true });
}

async function inboxMessage({ api }: Output, messageId: string): Promise<InboxMessage> {
	for await (const page of pagesOf((after) => api.inbox(after))) {
		const found = page.items.find((message) => message.messageId === messageId);
		if (found !== undefined) return found;
	}
	throw new AppError("NOTHING_WAITS", `The inbox has no message ${oneLine(messageId)}.`, `List its messages: ${commandLine("inbox")}`);
}

function inboxLine({ messageId, at, title, read }: InboxMessage): string {
	const when = timeWords(Date.parse(at), Date.now(), localZone());
	return `${oneLine(messageId, 100)}  due ${when}  ${read ? "" : "unread  "}${oneLine(title, 120)}`;
}

function contactLine({ contactId, name, addresses }: Contact): string {
	const places = Object.entries(addresses).map(([channel, address]) => `${channelWords[channel as ChannelId]} ${oneLine(address, 320)}`);
	return [contactId, oneLine(name, 200), ...places].join("  ");
}

/** Which of a contact's values were replaced or removed, because adding a contact replaces the one with the same id. */
function replacedLines(before: Contact | undefined, now: Contact): readonly string[] {
	if (before === undefined) return [];
	const addresses = Object.entries(before.addresses).flatMap(([id, address]) => {
		const channel = id as ChannelId;
		if (now.addresses[channel] === address) return [];
		const was = `${channelWords[channel]} ${oneLine(address, 320)}`;
		return [now.addresses[channel] === undefined ? `${was} (removed)` : `${was} (replaced)`];
	});
	const name = before.name === now.name ? [] : [oneLine(before.name, 200)];
	return name.length + addresses.length === 0 ? [] : [`  Before: ${[...name, ...addresses].join(", ")}`];
}

function channelLines(one: Channel): readonly string[] {
	const { channel, unavailable, owner, settings, secrets, tested, webhooks } = one;
	const what = owner?.startsWith("channel:") === true ? "your usual channel" : "your address";
	const to = owner === undefined || channel === "dashboard" ? "" : `  ${what}: ${oneLine(owner, 320)}`;
	const set = Object.entries(settings).map(([name, value]) => `${oneLine(name)} ${oneLine(String(value), 300)}`);
	const all = [...set, ...secrets.map((name) => `${oneLine(name)} (stored)`)];
	const zone = localZone();
	const result = isOpen(tested)
		? "it is unknown whether the last test message arrived"
		: `${tested?.ok === true ? "worked" : "FAILED"} in the last test`;
	const test = tested && `${result}, ${timeWords(Date.parse(tested.at), Date.now(), zone)}`;
	return [
		`${channel}  ${stateWords[channelState(one)]}${to}`,
		...(all.length === 0 ? [] : [`  ${all.join(", ")}`]),
		...(webhooks?.listensOn === undefined ? [] : [`  listens for webhooks on ${oneLine(webhooks.listensOn, 300)}`]),
		...(test === undefined ? [] : [`  ${test}`]),
		...(unavailable === undefined ? [] : unavailableLines(unavailable).map((line) => `  ${line}`)),
	];
}

const stateWords: Readonly<Record<ChannelState, string>> = {
	unready: "not ready",
	untested: "set up, no current test",
	unknown: "set up, test result unknown",
	failed: "set up, test failed",
	ready: "ready",
};
