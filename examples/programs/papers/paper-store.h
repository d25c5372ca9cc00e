/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_STORE_H
#define PAPER_STORE_H

#include "paper-figure.h"

#include <map>
#include <string>

namespace ns3
{

/// Where, when and of which engine and models a result is.
struct PaperOrigin
{
    std::string scale;    //!< small, medium or full
    std::string date;     //!< day in UTC
    std::string revision; //!< of the sources
    std::string of;       //!< PaperRun::TakeOrigin: digests of the methods
};

/// A result of a figure that was measured before.
struct PaperStored
{
    PaperOrigin origin; //!< of the result
    PaperResult result; //!< pictures have names alone; all values are in `others`
};

/**
 * @brief The results that the page of the papers shows: one per figure, in a CSV file
 * (data/papers/results.csv), which dcn-paper --renew writes.
 */
class PaperStore
{
  public:
    /**
     * @param path of the file; empty if it does not exist
     */
    explicit PaperStore(const std::string& path);

    /**
     * @param figure its name
     * @return the result; null if there is none
     */
    const PaperStored* Find(const std::string& figure) const;

    /**
     * @brief Replace the result of a figure, and write the file.
     * @param figure the figure; a value that the paper has gets its unit
     * @param result the new one
     * @param origin of the result
     */
    void Put(const PaperFigure& figure, const PaperResult& result, const PaperOrigin& origin);

    /**
     * @param of digests of methods, see PaperOrigin
     * @return names of methods whose digest is another one now, joined by ", "; empty: none
     */
    static std::string GetLate(const std::string& of);

  private:
    std::string m_path;                           //!< as given
    std::map<std::string, PaperStored> m_results; //!< by name of the figure
};

} // namespace ns3

#endif /* PAPER_STORE_H */
