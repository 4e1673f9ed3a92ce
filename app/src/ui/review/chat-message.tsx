import { reviewWords as words } from "../../strings/review-words.ts";
import { visibleProse } from "../text/visible-text.ts";
import { type ChatPiece, chatPieces } from "./chat-text.ts";

interface ChatMessageProps {
	readonly channel: "whatsapp" | "discord";
	readonly text: string;
	readonly isSent: boolean;
}

/** A message as the chat shows it. It is text alone: nothing in it leads anywhere, or is fetched. */
export function ChatMessage({ channel, text, isSent }: ChatMessageProps) {
	const pieces = <ChatText {...{ text, channel }} />;
	if (channel === "whatsapp")
		return (
			<>
				<div className="chat">
					<div className="bubble">
						{pieces}
						{!isSent && <small className="at">{words.notSentYet}</small>}
					</div>
				</div>
				<p className="hint">{words.whatsappSay}</p>
			</>
		);
	return (
		<>
			<div className="dc">
				<span className="mark" aria-hidden="true">
					Xw
				</span>
				<div>
					<div className="flex">
						<b>XWorkmate</b>
						<span className="chip">{words.bot}</span>
						{!isSent && <span className="small muted">{words.notSentYet}</span>}
					</div>
					<div className="dc-text">{pieces}</div>
				</div>
			</div>
			<p className="hint">{words.discordSay}</p>
		</>
	);
}

/** The text of a message, with the marks that the chat knows. */
export function ChatText({ text, channel }: Pick<ChatMessageProps, "text" | "channel">) {
	return chatPieces(visibleProse(text), channel).map((piece, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no ids and keep their positions
		<Piece key={index} piece={piece} />
	));
}

function Piece({ piece: { text, marks } }: { readonly piece: ChatPiece }) {
	const [mark, ...inner] = marks;
	if (mark === undefined) return text;
	const piece = <Piece piece={{ text, marks: inner }} />;
	switch (mark) {
		case "bold":
			return <b>{piece}</b>;
		case "italic":
			return <em>{piece}</em>;
		case "underline":
			return <u>{piece}</u>;
		case "strike":
			return <s>{piece}</s>;
		case "mono":
			return <code>{piece}</code>;
	}
}
