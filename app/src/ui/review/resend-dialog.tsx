import { Dialog } from "@base-ui/react/dialog";
import type { Channel, Contact, DeliveryAction } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { isDropped, isDroppedInDoubt } from "@xworkmate/contracts/is-dropped";
import { useState } from "react";
import { restoredWords } from "../../strings/plans/restored-words.ts";
import { reviewWords } from "../../strings/plans/review-words.ts";
import { heldReasons } from "../../text/plans/held-reasons.ts";
import { mayHaveBeenSent } from "../../text/plans/may-have-been-sent.ts";
import { Choice } from "../components/form-field.tsx";
import { ownerName } from "../plans/recipient-names.ts";
import { visibleName } from "../text/visible-text.ts";

const words = reviewWords.resend;

/** `address`: where the dialog said that the message would go. Absent if it is not known here. */
export interface ResendOptions {
	readonly recipient?: string;
	readonly address?: string;
	readonly allowDuplicate?: true;
}

interface ResendDialogProps {
	readonly action: DeliveryAction;
	readonly contacts: readonly Contact[];
	readonly channels: readonly Channel[];
	readonly isOpen: boolean;
	resend(options: ResendOptions): void;
	close(): void;
}

/**
 * Asks for confirmation before a message is sent again. If the first message arrived, or may have, the user also has to check a box, even
 * if the recipient is different.
 */
export function ResendDialog({ isOpen, close, ...asked }: ResendDialogProps) {
	return (
		<Dialog.Root open={isOpen} onOpenChange={(is) => !is && close()}>
			<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Dialog.Backdrop className="scrim" />
				<Dialog.Popup className="dialog">
					<ResendForm {...asked} />
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}

/** Rendered only while the dialog is open, so that the box is not checked when the dialog opens again. */
function ResendForm({ action, contacts, channels, resend }: Omit<ResendDialogProps, "isOpen" | "close">) {
	const [recipient, setRecipient] = useState("");
	const [isTicked, setTicked] = useState(false);
	const { status, channel } = action;
	const moved = movedTo(action, contacts, channels);
	const said = isDropped(action) ? words.afterAll : words;
	// After a restore from a backup, the message may already have been sent to any of the recipients.
	const isSentPerhaps = mayHaveBeenSent(action) || isDroppedInDoubt(action);
	const mayDouble = isSentPerhaps || status === "unknown" || hasArrived(action);
	/** False if the message goes to another contact, who did not get the first one. */
	const isSame = isSentPerhaps || recipient === "" || recipient === action.recipient;
	const goesTo = recipient === "" ? (moved?.address ?? action.addressedTo?.address) : addressOf(contacts, recipient, channel);
	const people: { readonly value: string; readonly name: string }[] = [
		{ value: "", name: moved?.name ?? words.sameRecipient },
		...contacts
			.filter(({ addresses }) => addresses[channel] !== undefined)
			.map(({ contactId, name }) => ({ value: String(contactId), name: visibleName(name) })),
	];
	return (
		<div className="dialog-form">
			<Dialog.Title className="dialog-title" tabIndex={-1}>
				{said.title}
			</Dialog.Title>
			<Dialog.Description className="soft">{words.same}</Dialog.Description>
			{heldReasons(action).map((line) => (
				<p key={line}>{line}</p>
			))}
			{channel !== "dashboard" && <Choice label={words.to} value={recipient} choices={people} choose={(value) => setRecipient(value)} />}
			{mayDouble && (
				<>
					<p className="note need">
						<span>
							{isSame && <b>{words.twice}</b>} {isSentPerhaps ? `${restoredWords.say} ${restoredWords.fix}` : words.twiceSay}
						</span>
					</p>
					<label className="tick">
						<input type="checkbox" checked={isTicked} onChange={() => setTicked(!isTicked)} />
						<span>{isSame ? words.tick : words.tickElsewhere}</span>
					</label>
				</>
			)}
			<div className="flex end">
				<Dialog.Close className="btn lg">{words.cancel}</Dialog.Close>
				<button
					type="button"
					className="btn lg pri"
					disabled={mayDouble && !isTicked}
					onClick={() =>
						resend({
							...(recipient !== "" && { recipient }),
							...(goesTo !== undefined && { address: goesTo }),
							...(mayDouble && { allowDuplicate: true as const }),
						})
					}
				>
					{said.send}
				</button>
			</div>
		</div>
	);
}

/**
 * Who the message would go to now, if the address differs from the one that it was sent to. A contact or the user may have a new address,
 * and "As before" would promise the old one.
 */
function movedTo(
	{ channel, recipient, addressedTo }: DeliveryAction,
	contacts: readonly Contact[],
	channels: readonly Channel[],
): { readonly name: string; readonly address: string } | undefined {
	const contact = contacts.find(({ contactId }) => contactId === recipient);
	const own = channels.find((one) => one.channel === channel);
	const address = recipient === undefined ? own?.owner : contact?.addresses[channel];
	if (address === undefined || addressedTo === undefined || address === addressedTo.address) return undefined;
	return { name: contact === undefined ? ownerName(own) : visibleName(`${contact.name} (${address})`), address };
}

function addressOf(contacts: readonly Contact[], recipient: string, channel: DeliveryAction["channel"]): string | undefined {
	return contacts.find(({ contactId }) => contactId === recipient)?.addresses[channel];
}
