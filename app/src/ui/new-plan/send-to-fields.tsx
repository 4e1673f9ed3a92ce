import type { Channel, Contact } from "@xworkmate/contracts";
import { Plus, X } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { newPlanWords } from "../../strings/plans/new-plan-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { Choice } from "../components/form-field.tsx";
import { Icon } from "../components/icon.tsx";
import { channelIcons } from "../plans/plan-look.ts";
import { ownerName } from "../plans/recipient-names.ts";
import { UnreadyChannel } from "../plans/unready-channel.tsx";
import { oneLine, visibleName } from "../text/visible-text.ts";
import type { DraftDelivery, PlanDraft } from "./plan-draft.ts";

const words = plansPageWords.form;

interface SendToFieldsProps {
	readonly draft: PlanDraft;
	readonly channels: readonly Channel[];
	/** Undefined until the contacts have been read. */
	readonly contacts: readonly Contact[] | undefined;
	change(change: Partial<PlanDraft>): void;
}

/** The recipients of a plan's message, one per line. */
export function SendToFields({ draft, channels, contacts, change }: SendToFieldsProps) {
	const { to, writer } = draft;
	const replace = (one: DraftDelivery) => change({ to: to.map((other) => (other.key === one.key ? one : other)) });
	const add = () => {
		const key = Math.max(0, ...to.map((one) => one.key)) + 1;
		const unused = channels.find(({ channel }) => !to.some((one) => one.channel === channel));
		change({ to: [...to, { key, channel: unused?.channel ?? "email", recipient: "", subject: "", attach: false }] });
	};
	return (
		<div>
			{to.map((one) => (
				<SendTo
					key={one.key}
					{...{ one, channels, contacts, replace }}
					canAttach={writer === "agent"}
					remove={() => change({ to: to.filter((other) => other !== one) })}
				/>
			))}
			<button type="button" className="btn quiet outdent" onClick={add}>
				<Icon of={Plus} />
				{words.add}
			</button>
		</div>
	);
}

interface SendToProps extends Pick<SendToFieldsProps, "channels" | "contacts"> {
	readonly one: DraftDelivery;
	readonly canAttach: boolean;
	replace(one: DraftDelivery): void;
	remove(): void;
}

function SendTo({ one, channels, contacts, canAttach, replace, remove }: SendToProps) {
	const { channel, recipient, subject, attach, content } = one;
	const name = channelWords[channel];
	const known = channels.find((other) => other.channel === channel);
	const reachable = (contacts ?? []).filter(({ addresses }) => addresses[channel] !== undefined);
	const people = [
		{ value: "", name: ownerName(known) },
		...reachable.map(({ contactId, name: given, addresses }) => ({
			value: String(contactId),
			name: `${visibleName(given)} (${visibleName(addresses[channel] ?? "")})`,
		})),
	];
	return (
		<div className="to">
			<Icon of={channelIcons[channel]} />
			<Choice
				label={words.channel}
				value={channel}
				choices={channels.map((other) => ({ value: other.channel, name: channelWords[other.channel] }))}
				otherwise={name}
				choose={(chosen) => replace({ ...one, channel: chosen, recipient: "" })}
			/>
			{channel === "dashboard" ? (
				<span className="muted">{words.yours}</span>
			) : (
				<Choice
					// A new field for each channel, so that it doesn't offer the recipient chosen for the previous one.
					key={channel}
					label={words.recipient}
					value={recipient}
					choices={people}
					otherwise={unreachableName(one, contacts)}
					choose={(chosen) => replace({ ...one, recipient: chosen })}
				/>
			)}
			<button type="button" className="ib" aria-label={fill(words.remove, { channel: name })} onClick={remove}>
				<Icon of={X} small />
			</button>
			{channel === "email" && (
				<input
					className="in full"
					aria-label={words.subject}
					placeholder={words.subjectHint}
					value={subject}
					maxLength={200}
					onChange={(event) => replace({ ...one, subject: event.target.value })}
				/>
			)}
			{channel !== "dashboard" && canAttach && (
				<label className="tick full">
					<input type="checkbox" checked={attach} onChange={() => replace({ ...one, attach: !attach })} />
					{words.attach}
				</label>
			)}
			{content !== undefined && <p className="hint full">{fill(newPlanWords.ownText, { text: oneLine(content).slice(0, 200) })}</p>}
			{known?.ready === false && <UnreadyChannel channel={known} />}
		</div>
	);
}

/** The name shown for a recipient that has no address in its channel: a contact may be removed while plans still refer to it. */
function unreachableName({ channel, recipient }: DraftDelivery, contacts: SendToFieldsProps["contacts"]): string {
	if (contacts === undefined) return visibleName(recipient);
	const contact = contacts.find(({ contactId }) => contactId === recipient);
	if (contact === undefined) return fill(words.notInContacts, { name: visibleName(recipient) });
	return fill(words.noAddress, { name: visibleName(contact.name), channel: channelWords[channel] });
}
