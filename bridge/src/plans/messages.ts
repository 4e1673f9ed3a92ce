import {
	type AddressedTo,
	type ChannelId,
	ContractError,
	type DeliveryAction,
	formatBytes,
	limits,
	type Occurrence,
	omitUndefined,
	type Plan,
	type RunId,
} from "@xworkmate/contracts";
import type { Message, MessageFile } from "../ports/channels/channel.ts";
import type { RunResults } from "../ports/runs/run-results.ts";
import { workedRun } from "./domain/worked-run.ts";
import type { ResolveRecipient } from "./recipient.ts";

/** Composes an action's message. The channel later builds the payload from it. */
export type MessageOf = (occurrence: Occurrence, action: DeliveryAction, plan: Pick<Plan, "title">) => Promise<Message>;

/**
 * Makes messages. The recipient is the one that the message was built for. If the message was not built or is held, the recipient is the
 * plan's contact or the channel's owner, looked up for each message. The text is the action's own or, without one, the deliverable.
 * @returns a function that throws ContractError NOTHING_TO_SEND, or an error of the recipient or of the files to attach
 */
export function createMessages(resolveRecipient: ResolveRecipient, results: RunResults): MessageOf {
	return async (occurrence, action, { title }) => {
		const text = textOf(occurrence, action);
		if (text === undefined) throw new ContractError("NOTHING_TO_SEND", { detail: "This message has no text." });
		const runId = workedRun(occurrence, action);
		const files = action.attach === true && runId !== undefined ? await filesOf(results, runId) : [];
		const { planId, occurrenceId, dueAt: at } = occurrence;
		const { actionId, subject } = action;
		const recipient = builtFor(action) ?? resolveRecipient(action.channel, action.recipient);
		const { address, name } = recipient;
		return { actionId, planId, occurrenceId, title, text, address, files, at, ...omitUndefined({ name, subject, runId }) };
	};
}

/**
 * The recipient that the message was built for. Undefined for a held message, which is built again for the contact or the owner as they are
 * now.
 */
function builtFor({ status, addressedTo }: DeliveryAction): AddressedTo | undefined {
	return status === "needs_review" ? undefined : addressedTo;
}

/** The recipient of a message, as it is recorded with the bytes that are built for it; undefined for the inbox, which has only one. */
export function addressedTo(channel: ChannelId, { address, name }: Pick<Message, "address" | "name">): AddressedTo | undefined {
	return channel === "dashboard" ? undefined : { address, ...omitUndefined({ name }) };
}

/** The text to send: the action's own content or, without one, the deliverable; undefined if there is neither. */
export function textOf({ deliverable }: Pick<Occurrence, "deliverable">, { content }: Pick<DeliveryAction, "content">): string | undefined {
	return content ?? deliverable?.text;
}

/** @throws ContractError NOT_FOUND, RUN_EXPIRED, ARTIFACT_CHANGED, PAYLOAD_TOO_LARGE */
async function filesOf(results: RunResults, runId: RunId): Promise<readonly MessageFile[]> {
	const found = await results.files(runId);
	const files: MessageFile[] = [];
	let left: number = limits.attachmentsBytes;
	for await (const page of found.pages()) {
		for (const artifact of page) {
			left -= artifact.sizeBytes;
			if (left < 0)
				throw new ContractError("PAYLOAD_TOO_LARGE", {
					detail: `The run's files are larger than ${formatBytes(limits.attachmentsBytes)} in total, so they can't be attached.`,
					fix: "Run the work again with fewer or smaller files, or discard the message.",
				});
			await using file = await found.open(artifact);
			const name = artifact.relativePath.split("/").at(-1) ?? artifact.relativePath;
			files.push({ name, mediaType: artifact.mediaType, bytes: await file.readWhole() });
		}
	}
	return files;
}
