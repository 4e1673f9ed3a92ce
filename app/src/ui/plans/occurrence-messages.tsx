import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { count, fill } from "../../strings/interface.ts";
import { plansPageWords as words } from "../../strings/plans-page-words.ts";
import { channelList } from "../../text/channel-list.ts";
import { messageTexts } from "../../text/message-texts.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { ChatText } from "../rich-text/chat-text.tsx";
import { MessageText } from "../rich-text/message-text.tsx";
import { digitsOf } from "../text/digits.ts";

/** The text of an occurrence's messages; if they have different ones, each text with the channels of its messages. */
export function OccurrenceMessages({ occurrence }: { readonly occurrence: Occurrence }) {
	const texts = messageTexts(occurrence);
	return texts.map(({ text, actions, deliverable }) => (
		<div key={text} className="block">
			<h3>{texts.length === 1 ? words.message : fill(words.messageTo, { channels: channelList(actions) })}</h3>
			<div className="msg">
				<Message text={text} delivery={actions} />
				<footer>
					{deliverable !== undefined && <span>{words.sources[deliverable.source]}</span>}
					<span className="num">{count([...text].length, "character")}</span>
					{deliverable !== undefined && <code>{fill(words.hash, { digits: digitsOf(deliverable.sha256) })}</code>}
					<span className="grow" />
					<CopyButton text={text} label={words.copy} />
				</footer>
			</div>
		</div>
	));
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
