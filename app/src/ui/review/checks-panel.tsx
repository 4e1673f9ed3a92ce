import type { DeliveryAction, LintFinding } from "@xworkmate/contracts";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { fill } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { FindingList } from "./finding-list.tsx";
import type { Preview } from "./use-review.ts";

interface ChecksPanelProps {
	readonly action: DeliveryAction;
	readonly preview: Preview | undefined;
	/** What the rules of the channel found in the text that is shown. */
	readonly lint: readonly LintFinding[];
	/** True if the message is held for the user's decision. */
	readonly canDecide: boolean;
	/** True while the user is writing a text to replace the one that is held. */
	readonly isEdited: boolean;
	/** True if the preview is not of the bytes that were built to be sent. */
	readonly isRebuilt: boolean;
	/** True if the bridge would refuse the text that the user is writing. */
	readonly isRefused: boolean;
	/** True if the message may have changed since it was loaded. */
	readonly isOld: boolean;
}

/** What the checks found in a message, and the hash and size of its exact bytes. */
export function ChecksPanel({ action, preview, lint, canDecide, isEdited, isRebuilt, isRefused, isOld }: ChecksPanelProps) {
	const { pane, setPane } = useApp();
	const back = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		if (pane === "panel" && back.current?.checkVisibility()) back.current.focus();
	}, [pane]);
	// Bytes that were never built to be sent, such as those of a message that was discarded, have no hash to compare.
	const isBuilt = canDecide || action.payloadHash !== undefined;
	const hash = isRebuilt ? action.payloadHash : preview?.payloadHash;
	const size = isRebuilt ? undefined : preview?.size;
	const before = isRefused ? words.bytesRefused : isOld ? words.bytesAsOf : words.bytesSay;
	const after = isRebuilt ? words.bytesDiffer : words.bytesWere;
	return (
		<aside className="panel" aria-label={words.checks}>
			<header className="bar">
				<button type="button" className="ib back" ref={back} aria-label={words.backToMessage} onClick={() => setPane("thread")}>
					<Icon of={ArrowLeft} />
				</button>
				<h2>{words.checks}</h2>
			</header>
			<div className="scroll">
				<section className="sec" aria-live="polite">
					<h3>{words.findings}</h3>
					<FindingList {...{ action, lint, isEdited }} isChecked={preview !== undefined} />
				</section>
				{hash !== undefined && isBuilt && (
					<section className="sec">
						<h3>{words.bytes}</h3>
						<dl className="bytes">
							<dt>{words.sha}</dt>
							<dd>
								<code>{hash.replace(/(.{4})(?=.)/g, "$1 ")}</code>
							</dd>
							{size !== undefined && (
								<>
									<dt>{words.size}</dt>
									<dd>{fill(words.sizeOf, { count: size.toLocaleString("en") })}</dd>
								</>
							)}
						</dl>
						<p>
							<CopyButton text={hash} label={words.copyHash} word={words.copyHash} />
						</p>
						<p className="hint">{canDecide ? before : after}</p>
					</section>
				)}
			</div>
		</aside>
	);
}
