import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { usageWords as words } from "../../strings/settings/usage-words.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useAnswer } from "../state/use-answer.ts";
import { UsageTable } from "../usage/usage-table.tsx";

/** Tokens and costs by day, as agents reported them. */
export function UsageSettings() {
	const [asked, setAsked] = useState(0);
	const { answer, problem } = useAnswer(() => callApp("usage", {}), asked);
	if (answer === undefined && problem === undefined) return <p className="muted">{words.loading}</p>;
	return (
		<>
			<header className="doctor-head">
				<p className="soft grow">{words.lead}</p>
				<button type="button" className="btn" onClick={() => setAsked(asked + 1)}>
					<Icon of={RotateCcw} />
					{words.refresh}
				</button>
			</header>
			{problem !== undefined && (
				<p className="note bad" role="alert">
					{answer === undefined ? words.failed : words.newerFailed} {problem}
				</p>
			)}
			{answer?.length === 0 && <p className="muted">{words.none}</p>}
			{answer !== undefined && answer.length > 0 && <UsageTable days={answer} />}
			<p className="small muted">{words.note}</p>
		</>
	);
}
