import type { ThreadId } from "@xworkmate/contracts";
import { useState } from "react";
import { words } from "../../strings/interface.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { goneWords } from "../composer/attach-again.ts";
import { startFrom } from "../composer/send-composed.ts";
import { forgetLeft, leftDraft } from "../drafts/left-drafts.ts";
import type { TabDraft } from "../drafts/tab-drafts.ts";
import { useApp } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { visibleName, visibleProse } from "../text/visible-text.ts";

/**
 * Shown for an unknown address, and for a thread that was deleted in another window. It has no message field, but shows the unsent text
 * that was typed here.
 */
export function GoneThread({ threadId }: { readonly threadId: ThreadId }) {
	const [left] = useState(() => leftDraft(threadId));
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.thread.gone} />
			<div className="scroll">
				<div className="page">
					{left !== undefined && <LeftMessage threadId={threadId} left={left} />}
					<p className="flex">
						{left === undefined && (
							<a className="btn pri" href={hrefOf({ page: "new" })}>
								{words.sidebar.fresh}
							</a>
						)}
						<a className="btn" href={hrefOf({ page: "home" })}>
							{words.home.title}
						</a>
					</p>
				</div>
			</div>
		</main>
	);
}

function LeftMessage({ threadId, left }: { readonly threadId: ThreadId; readonly left: TabDraft }) {
	const { app } = useApp();
	const { prompt, files } = left;
	const use = () => void startFrom(left, app.newDraft).then((isKept) => isKept && forgetLeft(threadId));
	return (
		<section className="block" aria-label={words.thread.left}>
			<h3>{words.thread.left}</h3>
			<div className="me">
				<p className="pre" dir="auto">
					{visibleProse(prompt)}
				</p>
				{files.length > 0 && <p className="me-f">{goneWords(files.map((name) => visibleName(name)))}</p>}
			</div>
			<p className="flex">
				<button type="button" className="btn pri" onClick={use}>
					{words.thread.useLeft}
				</button>
				<CopyButton text={prompt} label={words.thread.copyLeft} word={words.copy.copy} />
			</p>
		</section>
	);
}
