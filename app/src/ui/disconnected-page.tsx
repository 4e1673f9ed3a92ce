import { useEffect } from "react";
import { words } from "../strings/interface.ts";
import { BrandMark } from "./components/brand-mark.tsx";
import { SlowWord } from "./components/slow-word.tsx";
import type { Link } from "./connection/app-link.ts";
import { InlineCode } from "./rich-text/inline-code.tsx";

interface GonePageProps {
	readonly state: Link["state"];
	tryNow(): void;
}

/** Shown before the app's first response, and when this page has no access to the app. */
export function DisconnectedPage({ state, tryNow }: GonePageProps) {
	useEffect(() => {
		document.title = words.product;
	}, []);
	return (
		<main className="frame gone">
			<div className="page">
				<h1 className="brand">
					<BrandMark />
					{words.product}
				</h1>
				{state === "connecting" && <SlowWord word={words.bridge.appConnecting} />}
				{state === "signed_out" && (
					<p className="lead">
						<InlineCode text={words.bridge.signIn} />
					</p>
				)}
				{state === "gone" && <p className="lead">{words.bridge.appGone}</p>}
				{state === "gone" && <p className="muted">{words.bridge.appHint}</p>}
				{state !== "connecting" && (
					<p>
						<button type="button" className="btn pri" onClick={tryNow}>
							{words.bridge.reload}
						</button>
					</p>
				)}
			</div>
		</main>
	);
}
