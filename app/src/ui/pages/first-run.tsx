import { words } from "../../strings/interface.ts";
import { PageBar } from "../components/page-bar.tsx";
import { AddAgent, AskAssistant, useReadyAssistant } from "./add-agent.tsx";
import { FirstAction } from "./first-action.tsx";
import { FirstFile } from "./first-file.tsx";

/**
 * Shown before the first thread: the assistant, if it is ready; a button for an action that asks first; a button for a finished file; and
 * how to install an agent.
 */
export function FirstRun() {
	const isReady = useReadyAssistant();
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.first.title} />
			<div className="scroll">
				<div className="page">
					{isReady && <AskAssistant />}
					<header>
						<h2>{words.firstAction.head}</h2>
						<p className="lead">{words.firstAction.lead}</p>
					</header>
					<FirstAction isMain={!isReady} />
					<section className="block" aria-label={words.first.head}>
						<h2>{words.first.head}</h2>
						<p className="soft">{words.first.lead}</p>
						<FirstFile />
					</section>
					<AddAgent title={words.first.agents} withoutAssistant={isReady} />
				</div>
			</div>
		</main>
	);
}
