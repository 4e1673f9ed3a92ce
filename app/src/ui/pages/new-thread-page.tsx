import { useState } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import { words } from "../../strings/interface.ts";
import { PageBar } from "../components/page-bar.tsx";
import { Composer } from "../composer/composer.tsx";
import { useApp } from "../state/app-context.tsx";
import { ContinuesNote } from "./continues-note.tsx";

/** A thread that does not exist yet. */
export function NewThreadPage({ from }: { readonly from?: SentTurn }) {
	const { app } = useApp();
	const [isUnconfirmed, setUnconfirmed] = useState(false);
	const [isScript, setScript] = useState(false);
	const [isKept, setKept] = useState(false);
	const note = isUnconfirmed ? words.run.sending : isKept ? words.composer.draftKept : undefined;
	return (
		<main className="main fresh" tabIndex={-1}>
			<PageBar title={words.sidebar.fresh} {...(note !== undefined && { say: note })} />
			<div className="scroll">
				<div className="read">
					<h2 className="h-page">{words.composer.titleNew}</h2>
					<p className="lead">{words.composer.leadNew}</p>
				</div>
			</div>
			<div className="dock">
				<div className="dockbox">
					{from !== undefined && <ContinuesNote from={from} isScript={isScript} />}
					<Composer
						busy={false}
						{...(from && { continuesFrom: from })}
						{...(app.newDraft && { draft: app.newDraft })}
						onDraft={setKept}
						onUnconfirmed={setUnconfirmed}
						onScript={setScript}
					/>
				</div>
			</div>
		</main>
	);
}
