// A PodSet with many pods, and many controllers in one process; see README.md.
import { compiledCandidate, run } from './build-candidates.ts';

compiledCandidate('../operators/podset.ts');
run(process.execPath, [compiledCandidate('scale-candidate.ts')], import.meta.dirname);
