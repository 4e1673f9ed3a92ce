import { staleDocuments, writeDocuments } from "./docs/generated-documents.ts";
import { repositoryRoot } from "./repository.ts";

// `--check` only compares; it fails if a document is stale.
const check = process.argv.includes("--check");
const paths = check ? staleDocuments(repositoryRoot) : writeDocuments(repositoryRoot);
for (const path of paths) console.log(`${check ? "stale" : "wrote"} ${path}`);
if (check && paths.length > 0) {
	console.error("Run `npm run generate` and commit the result.");
	process.exitCode = 1;
}
