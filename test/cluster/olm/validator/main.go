// Command validator checks an OLM bundle as `operator-sdk bundle validate --select-optional suite=operatorframework` does:
// with the validators of github.com/operator-framework/api, which that command calls.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/api/pkg/validation/errors"
	interfaces "github.com/operator-framework/api/pkg/validation/interfaces"
)

type finding struct {
	Validator string `json:"validator"`
	Level     string `json:"level"`
	Message   string `json:"message"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: validator <bundle folder>")
		os.Exit(2)
	}
	bundle, err := manifests.GetBundleFromDir(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	objects := []interface{}{bundle}
	for _, object := range bundle.Objects {
		objects = append(objects, object)
	}
	findings := []finding{}
	for name, validators := range suites {
		for _, result := range validators.Validate(objects...) {
			findings = append(findings, of(name, result.Errors)...)
			findings = append(findings, of(name, result.Warnings)...)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(findings); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The first is always run by bundle validate, operatorhub is suite=operatorframework, and the others are optional. That for
// several architectures is left out, because it pulls the image.
var suites = map[string]interfaces.Validators{
	"default":        validation.DefaultBundleValidators,
	"operatorhub":    {validation.OperatorHubV2Validator, validation.StandardCapabilitiesValidator, validation.StandardCategoriesValidator},
	"good-practices": {validation.GoodPracticesValidator},
	"objects":        {validation.ObjectValidator},
}

func of(validator string, errs []errors.Error) []finding {
	found := []finding{}
	for _, err := range errs {
		found = append(found, finding{validator, string(err.Level), err.Error()})
	}
	return found
}
