import { visibleProse } from "../text/visible-text.ts";
import { type ChatPiece, chatPieces } from "./chat-pieces.ts";

interface ChatTextProps {
	readonly text: string;
	readonly channel: "whatsapp" | "discord";
}

/** The text of a chat message, with the formatting that the chat supports. */
export function ChatText({ text, channel }: ChatTextProps) {
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
