import { words } from "../words/interface.ts";
import { DoctorPart } from "./doctor-part.tsx";
import { KeysPart, LookPart } from "./look-settings.tsx";
import { PageBar } from "./page-bar.tsx";
import { BridgeLogPart, PlacesPart } from "./places-part.tsx";
import { hrefOf } from "./route.ts";

const parts = {
	doctor: words.settings.doctor,
	look: words.settings.look,
	places: words.settings.places,
	log: words.settings.bridgeLog,
	keys: words.settings.keys,
} as const;
type Part = keyof typeof parts;

function isPart(part: string): part is Part {
	return Object.hasOwn(parts, part);
}

export default function SettingsPage({ part }: { readonly part: string }) {
	const here = isPart(part) ? part : "doctor";
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.settings.title} />
			<div className="set">
				<nav aria-label={words.settings.title}>
					{Object.keys(parts)
						.filter(isPart)
						.map((key) => (
							<a key={key} href={hrefOf({ page: "settings", part: key })} aria-current={key === here ? "page" : undefined}>
								{parts[key]}
							</a>
						))}
				</nav>
				<div className="scroll">
					<div className="page">
						{here !== "doctor" && <h2 className="h-page">{parts[here]}</h2>}
						{here === "doctor" && <DoctorPart />}
						{here === "look" && <LookPart />}
						{here === "places" && <PlacesPart />}
						{here === "log" && <BridgeLogPart />}
						{here === "keys" && <KeysPart />}
					</div>
				</div>
			</div>
		</main>
	);
}
