import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { ChatText } from "../rich-text/chat-text.tsx";

interface ChatMessageProps {
	readonly channel: "whatsapp" | "discord";
	readonly text: string;
	/** Says that the message was not sent; absent if it was, or may have been. */
	readonly mark?: string | undefined;
}

/** A message as the chat shows it. It is only text: it contains no links, and nothing is loaded. */
export function ChatMessage({ channel, text, mark }: ChatMessageProps) {
	const pieces = <ChatText {...{ text, channel }} />;
	if (channel === "whatsapp")
		return (
			<>
				<div className="chat">
					<div className="bubble">
						{pieces}
						{mark !== undefined && <small className="at">{mark}</small>}
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
						{mark !== undefined && <span className="small muted">{mark}</span>}
					</div>
					<div className="dc-text">{pieces}</div>
				</div>
			</div>
			<p className="hint">{words.discordSay}</p>
		</>
	);
}
