import type { MethodInput, Sha256 } from "@xworkmate/contracts";
import { useState } from "react";
import { reviewWords } from "../../strings/calls/tools-page-words.ts";
import { callApp } from "../connection/call-app.ts";
import { useAnswer } from "../state/use-answer.ts";
import { CodeChanges, changedFiles } from "./code-changes.tsx";

interface VersionChangesProps {
	readonly integration: MethodInput<"xworkmate.tools.sources">["integration"];
	readonly before: Sha256;
	readonly after: Sha256;
}

/** What changed between two stored versions of an integration. */
export default function VersionChanges({ integration, before, after }: VersionChangesProps) {
	const [tried, setTried] = useState(0);
	const { answer, problem } = useAnswer(async () => {
		const of = (toolHash: Sha256) => callApp("toolSources", { integration, toolHash });
		const [was, is] = await Promise.all([of(before), of(after)]);
		return changedFiles(was.files, is.files);
	}, `${before} ${after} ${tried}`);
	if (answer === undefined || problem !== undefined)
		return (
			<p className="body flex">
				<span className="wrap">{problem ?? reviewWords.loading}</span>
				{problem !== undefined && (
					<button type="button" className="btn" onClick={() => setTried(tried + 1)}>
						{reviewWords.again}
					</button>
				)}
			</p>
		);
	return (
		<div className="body spaced">
			{answer.length === 0 && <p className="muted">{reviewWords.same}</p>}
			<CodeChanges files={answer} />
		</div>
	);
}
