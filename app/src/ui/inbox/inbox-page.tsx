import type { InboxMessage } from "@xworkmate/contracts";
import { CalendarClock, CheckCheck, Mail } from "lucide-react";
import { useEffect } from "react";
import { words as all, fill } from "../../strings/interface.ts";
import { inboxWords as words } from "../../strings/plans/inbox-words.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { callApp } from "../connection/call-app.ts";
import { AsOfLine } from "../plans/as-of-line.tsx";
import { ReadAsOf, usePlansAsOf } from "../plans/use-plans.ts";
import { MessageText } from "../rich-text/message-text.tsx";
import { preferences } from "../state/preferences.ts";
import { hrefOf, stay } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { useClock } from "../state/use-clock.ts";
import { formatWhen } from "../text/format.ts";
import { isCommand, letterOf } from "../text/key-names.ts";
import { oneLine, visibleName } from "../text/visible-text.ts";
import { asOfWords } from "../turn/tool-line.ts";
import { markAllRead, useInbox } from "./use-inbox.ts";

/** Messages that plans sent to this page. */
export default function InboxPage({ messageId }: { readonly messageId?: string }) {
	const { value, problem, asOf: readAsOf, read, readOlder } = useInbox();
	const asOf = usePlansAsOf(readAsOf);
	const messages = value?.items ?? [];
	const open = messages.find((one) => one.messageId === messageId);
	const change = (act: () => Promise<unknown>) =>
		void attempt(async () => {
			try {
				await act();
			} finally {
				// The inbox is read again even after an error, because some messages may have been marked before the error occurred.
				read();
			}
		});
	const mark = (messageId: string, isRead: boolean) => change(() => callApp("markInbox", { messageIds: [messageId], read: isRead }));
	const openId = open?.read === false ? open.messageId : undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each message that is opened unread
	useEffect(() => {
		if (openId !== undefined) mark(openId, true);
	}, [openId]);
	const markUnread = () => {
		if (open === undefined) return;
		// Closes the message, because an open message would be marked as read again at once.
		stay({ page: "inbox" });
		mark(open.messageId, false);
	};
	return (
		<main
			className="main"
			tabIndex={-1}
			onKeyDown={(event) => {
				if (letterOf(event) === "u" && !isCommand(event) && !event.altKey && preferences.value.singleKeys) markUnread();
			}}
		>
			<PageBar title={all.sidebar.inbox} {...(value && { say: unreadWords(value.unread, asOf) })}>
				{open !== undefined && (
					<>
						<button type="button" className="btn quiet" onClick={markUnread}>
							<Icon of={Mail} />
							<span className="vh-n">{words.markUnread}</span>
						</button>
						<a className="btn quiet" href={hrefOf({ page: "plan", planId: open.planId, occurrenceId: open.occurrenceId })}>
							<Icon of={CalendarClock} />
							<span className="vh-n">{words.plan}</span>
						</a>
					</>
				)}
				{value !== undefined && value.unread > 0 && (
					<button type="button" className="btn quiet" onClick={() => change(markAllRead)}>
						<Icon of={CheckCheck} />
						<span className="vh-n">{words.markAll}</span>
					</button>
				)}
			</PageBar>
			<ReadState isRead={value !== undefined} {...{ problem, words, read }} />
			<ReadAsOf value={readAsOf}>{value !== undefined && <AsOfLine />}</ReadAsOf>
			{value !== undefined && messages.length === 0 && (
				<div className="page">
					<p className="lead">{words.empty}</p>
				</div>
			)}
			{messages.length > 0 && (
				<div className={`mailbox ${open === undefined ? "" : "reading"}`}>
					<nav className="msgs" aria-label={words.list}>
						<ul>
							{messages.map((message) => (
								<Row key={message.messageId} message={message} isOpen={message === open} />
							))}
						</ul>
						{value?.nextCursor !== undefined && (
							<p className="more-above">
								<button type="button" className="btn" onClick={readOlder}>
									{words.older}
								</button>
							</p>
						)}
					</nav>
					<div className="reader">{open === undefined ? <p className="muted page">{words.choose}</p> : <Reader message={open} />}</div>
				</div>
			)}
		</main>
	);
}

function unreadWords(count: number, asOf: string | undefined): string {
	const said = fill(words.lead, { count });
	return asOf === undefined ? said : asOfWords(said, asOf);
}

function Row({ message, isOpen }: { readonly message: InboxMessage; readonly isOpen: boolean }) {
	const now = useClock();
	const { messageId, title, text, at, read } = message;
	return (
		<li>
			<a href={hrefOf({ page: "inbox", messageId })} className={read ? "" : "new"} aria-current={isOpen ? "page" : undefined}>
				<span className="dot">{!read && <span className="vh">{words.unread}</span>}</span>
				<span className="from cut">{visibleName(title)}</span>
				<time dateTime={at}>{fill(words.due, { when: formatWhen(at, now) })}</time>
				<small className="cut">{oneLine(text).slice(0, 120)}</small>
			</a>
		</li>
	);
}

function Reader({ message }: { readonly message: InboxMessage }) {
	const now = useClock();
	const { title, text, at, planId, occurrenceId } = message;
	return (
		<article aria-labelledby="inbox-message">
			<a className="btn quiet only-narrow" href={hrefOf({ page: "inbox" })}>
				{words.back}
			</a>
			<header className="stack2">
				<h2 id="inbox-message">{visibleName(title)}</h2>
				<p className="muted small">
					<a href={hrefOf({ page: "plan", planId, occurrenceId })}>{words.plan}</a> {fill(words.due, { when: formatWhen(at, now) })}
				</p>
			</header>
			<div className="md">
				<MessageText text={text} live={false} />
			</div>
		</article>
	);
}
