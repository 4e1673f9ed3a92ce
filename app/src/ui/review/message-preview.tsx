import type { ChannelId, PayloadPart } from "@xworkmate/contracts";
import { FileText } from "lucide-react";
import { useState } from "react";
import { fill } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { Icon } from "../components/icon.tsx";
import { MessageText } from "../rich-text/message-text.tsx";
import { formatBytes } from "../text/format.ts";
import { visibleName, visibleText } from "../text/visible-text.ts";
import { ChatMessage } from "./chat-message.tsx";

type Shown = "chat" | "html" | "text" | "headers";

interface MessagePreviewProps {
	readonly channel: ChannelId;
	readonly parts: readonly PayloadPart[];
	/** Says that the message was not sent; absent if it was, or may have been. */
	readonly mark: string | undefined;
}

/** What would be sent, or was sent: as its reader sees it, as plain text, and with its headers or bytes. */
export function MessagePreview({ channel, parts, mark }: MessagePreviewProps) {
	const [chosen, choose] = useState<Shown>();
	const chat = channel === "whatsapp" || channel === "discord" ? channel : undefined;
	const text = parts.find((part) => part.kind === "text")?.text;
	const offered = [
		...(chat !== undefined && text !== undefined ? (["chat"] as const) : []),
		...(["html", "text", "headers"] as const).filter((kind) => parts.some((part) => part.kind === kind)),
	];
	const raw = chat === undefined ? words.raw : words.bytesAre;
	const names: Readonly<Record<Shown, string>> = { chat: words.asRead, html: words.html, text: words.plain, headers: raw };
	const shown = chosen !== undefined && offered.includes(chosen) ? chosen : offered[0];
	const row = parts.find((part) => part.kind === "row");
	return (
		<div className="stage">
			{offered.length > 1 && (
				<div className="cap">
					<span>{chat === undefined ? words.sealed : ""}</span>
					<fieldset className="seg" aria-label={chat === undefined ? words.showAs : words.showChat}>
						{offered.map((kind) => (
							<button key={kind} type="button" aria-pressed={kind === shown} onClick={() => choose(kind)}>
								{names[kind]}
							</button>
						))}
					</fieldset>
				</div>
			)}
			{shown === "chat" && chat !== undefined && <ChatMessage channel={chat} text={text ?? ""} mark={mark} />}
			{shown === "html" && <Sealed html={parts.find((part) => part.kind === "html")?.text ?? ""} />}
			{(shown === "text" || shown === "headers") && (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reachable by keyboard
				<pre className="raw" tabIndex={0}>
					{exactText(parts.find((part) => part.kind === shown)?.text ?? "")}
				</pre>
			)}
			{row !== undefined && (
				<div className="msg">
					<div className="md">
						<MessageText text={row.text ?? ""} live={false} />
					</div>
				</div>
			)}
			{parts
				.filter((part) => part.kind === "file")
				.map(({ name = "", bytes, sha256 }) => (
					<p key={sha256 + name} className="att-row">
						<Icon of={FileText} />
						<span>{fill(words.file, { name: visibleName(name), size: formatBytes(bytes) })}</span>
					</p>
				))}
		</div>
	);
}

/** The text of a message that can't be built at the moment, for example because its contact was removed. */
export function UnbuiltText({ text }: { readonly text: string }) {
	return (
		<div className="stage">
			<p className="muted">{words.unbuilt}</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
			<pre className="raw" tabIndex={0}>
				{exactText(text)}
			</pre>
		</div>
	);
}

/** The text as it is sent, with invisible characters written out. */
function exactText(text: string): string {
	return visibleText(text.replaceAll("\r\n", "\n"), "keep").text;
}

/**
 * The policy and the sandbox prevent the frame from running or loading anything, and from opening windows. Links open a window by default,
 * so they do nothing. Without that default, a link would replace the email in the frame.
 */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><base target="_blank">`;

/** An email as its recipient sees it, on white, in a frame that runs no scripts, loads nothing, and whose links do nothing. */
function Sealed({ html }: { readonly html: string }) {
	return <iframe className="paper-frame" title={words.frame} sandbox="" referrerPolicy="no-referrer" srcDoc={`${POLICY}${html}`} />;
}
