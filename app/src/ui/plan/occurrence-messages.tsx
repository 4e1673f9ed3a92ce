import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { count, fill } from "../../strings/interface.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { builtFor } from "../../text/plans/built-for.ts";
import { messageTexts, placesOf } from "../../text/plans/message-texts.ts";
import { CopyButton } from "../components/copy-button.tsx";
import type { NameOf } from "../plans/recipient-names.ts";
import { ChatText } from "../rich-text/chat-text.tsx";
import { MessageText } from "../rich-text/message-text.tsx";
import { digitsOf } from "../text/digits.ts";
import { visibleName } from "../text/visible-text.ts";

interface OccurrenceMessagesProps {
	readonly occurrence: Occurrence;
	readonly nameOf: NameOf;
}

/**
 * The text of an occurrence's messages; if they have different ones, each text with the channels of its messages, and with their recipients
 * if that is needed to tell the texts apart.
 */
export function OccurrenceMessages({ occurrence, nameOf }: OccurrenceMessagesProps) {
	const texts = messageTexts(occurrence);
	const to = (action: DeliveryAction) => toWords(action, nameOf);
	return texts.map((one) => (
		<div key={one.text} className="block">
			<h3>{one.isOnly ? words.message : fill(words.messageTo, { channels: placesOf(one, texts, to) })}</h3>
			<div className="msg">
				<Message text={one.text} delivery={one.actions} />
				<footer>
					{one.deliverable !== undefined && <span>{words.sources[one.deliverable.source]}</span>}
					<span className="num">{count([...one.text].length, "character")}</span>
					{one.deliverable !== undefined && <code>{fill(words.hash, { digits: digitsOf(one.deliverable.sha256) })}</code>}
					<span className="grow" />
					<CopyButton text={one.text} label={words.copy} />
				</footer>
			</div>
		</div>
	));
}

/** The words after a message's channel that say who gets it, as `ChannelName` does. */
function toWords(action: DeliveryAction, nameOf: NameOf): string {
	if (action.channel === "dashboard") return "";
	const name = nameOf(action) ?? (builtFor(action) === undefined ? action.recipient : undefined);
	return ` ${name === undefined ? words.toYou : fill(words.to, { name: visibleName(name) })}`;
}

/** A message as its channel shows it, if it goes to a single channel that does not render Markdown as the page does. */
function Message({ text, delivery }: { readonly text: string; readonly delivery: readonly DeliveryAction[] }) {
	const channels = new Set(delivery.map(({ channel }) => channel));
	const [channel] = channels;
	if (channels.size === 1 && (channel === "whatsapp" || channel === "discord"))
		return (
			<div className="chat-text">
				<ChatText {...{ text, channel }} />
			</div>
		);
	return (
		<div className="md">
			<MessageText text={text} live={false} />
		</div>
	);
}
