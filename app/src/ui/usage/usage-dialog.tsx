import { Dialog } from "@base-ui/react/dialog";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { usageWords as words } from "../../strings/settings/usage-words.ts";
import { callApp } from "../connection/call-app.ts";
import { useAnswer } from "../state/use-answer.ts";
import { visibleName } from "../text/visible-text.ts";
import { UsageTable } from "./usage-table.tsx";

/** What the runs of one thread used, by day. */
export function UsageOfThread({ thread }: { readonly thread: ThreadSummary }) {
	const { threadId, title } = thread;
	const { answer, problem } = useAnswer(() => callApp("usage", { threadId }), threadId);
	return (
		<div className="dialog-form">
			<Dialog.Title className="dialog-title">{fill(words.ofThread, { title: visibleName(title) })}</Dialog.Title>
			{answer === undefined && <p className="muted">{problem === undefined ? words.loading : `${words.failed} ${problem}`}</p>}
			{answer?.length === 0 && <p className="muted">{words.noneOfThread}</p>}
			{answer !== undefined && answer.length > 0 && <UsageTable days={answer} total={words.totalOfThread} />}
			<p className="small muted">{words.note}</p>
			<div className="flex end">
				<Dialog.Close className="btn lg">{words.close}</Dialog.Close>
			</div>
		</div>
	);
}
